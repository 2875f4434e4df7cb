internal import EventLog
internal import EventModel

/// Determines when a session starts: at launch, or at the first event more than 30 minutes after the last one. After a
/// restart within 30 minutes, the session continues.
///
/// The newest event of the log contains the last session and its time. Only a session that a reset has ended is stored
/// separately, so that a restart right after the reset does not continue the former user's session.
public struct SessionRule: Sendable {
    /// The maximum pause within a session: 30 minutes.
    public static let maximumPause: Duration = .seconds(30 * 60)

    private(set) var sessionID: String?
    private(set) var last: EventTime?

    init(resuming newest: EventRecord?, unless ended: String?) {
        guard let newest, let container = try? RecordedContainer(line: newest.line) else { return }  // a new session
        let session = container.json[.sessionID]?.stringValue
        sessionID = session == ended ? nil : session
        last = newest.time
    }

    init() {}

    /// The initial session, as a recording stores it.
    struct Start: Codable {
        let sessionID: String?
        let last: Int64?

        private enum CodingKeys: String, CodingKey {
            case sessionID = "session_id"
            case last
        }
    }

    /// The state of the rule before the first event.
    var start: Start { Start(sessionID: sessionID, last: last?.microseconds) }

    init(_ start: Start) {
        sessionID = start.sessionID
        last = start.last.map { EventTime(microseconds: $0) }
    }

    /// Whether an event at `time` belongs to ``sessionID``.
    func holds(at time: EventTime) -> Bool {
        guard sessionID != nil, let last else { return false }
        return Self.surelyHolds(at: time, after: last) || time.duration(since: last) <= Self.maximumPause
    }

    /// Whether two events are so close that no session ends between them. This is the usual case, and comparing
    /// microseconds is faster than comparing durations.
    @inline(__always)
    static func surelyHolds(at time: EventTime, after last: EventTime) -> Bool {
        time.microseconds &- last.microseconds <= 1_000_000
    }

    /// Records the time of an event.
    mutating func passed(_ time: EventTime) { last = max(time, last ?? time) }

    /// Returns the session of an event at `time`. Calls `makeID` if the event starts a session.
    mutating func session(at time: EventTime, makeID: () -> String) -> String {
        defer { passed(time) }
        if holds(at: time), let sessionID { return sessionID }
        let made = makeID()
        sessionID = made
        return made
    }

    /// Ends the session, so that the next event starts a new one. Returns the session that ended.
    mutating func end() -> String? {
        defer { sessionID = nil }
        return sessionID
    }
}

/// Whether a tracker continues the session of the log's newest event.
public enum SessionStart: Sendable {
    /// Continues the session if that event is at most 30 minutes old. For an app with its own log.
    case resumed
    /// Starts a session with the first event. For one of several users of a log.
    case fresh

    func rule(_ log: any EventStore, _ storage: any KeyValueStorage) throws -> SessionRule {
        switch self {
        case .resumed: SessionRule(resuming: log.newest, unless: try storage.string(forKey: Tracker.endedSessionKey))
        case .fresh: SessionRule()
        }
    }
}
