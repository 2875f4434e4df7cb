internal import EventLog

/// When a session starts: at launch, or at the first event more than 30 minutes after the last one. A restart
/// within 30 minutes keeps the session.
///
/// Nothing is stored for it: the newest event of the log says which session it was and when.
public struct SessionRule: Sendable {
    /// The longest pause within a session: 30 minutes.
    public static let maximumPause: Duration = .seconds(30 * 60)

    private(set) var sessionID: String?
    private var last: EventTime?

    init(resuming newest: EventRecord?) {
        guard let newest, let container = try? RecordedContainer(line: newest.line) else { return }  // a new session
        sessionID = container.json["session_id"]?.stringValue
        last = newest.time
    }

    init() {}

    /// The session of an event at `time`; `makeID` is asked if that starts one.
    mutating func session(at time: EventTime, makeID: () -> String) -> String {
        defer { last = max(time, last ?? time) }
        if let sessionID, let last, time.duration(since: last) <= Self.maximumPause { return sessionID }
        let made = makeID()
        sessionID = made
        return made
    }

    /// Makes the next event start a session.
    mutating func end() { sessionID = nil }
}
