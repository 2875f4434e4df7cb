internal import EventLog
internal import EventModel

/// When a session starts: at launch, or at the first event more than 30 minutes after the last one. A restart
/// within 30 minutes keeps the session.
///
/// The newest event of the log says which session it was and when. Stored beside that is only which session a
/// reset has ended, so that a restart right after it does not go on with the former user's.
public struct SessionRule: Sendable {
    /// The longest pause within a session: 30 minutes.
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

    /// Where a session starts from: what a recording says of it.
    struct Start: Codable {
        let sessionID: String?
        let last: Int64?

        private enum CodingKeys: String, CodingKey {
            case sessionID = "session_id"
            case last
        }
    }

    /// The rule as it stands before the first event.
    var start: Start { Start(sessionID: sessionID, last: last?.microseconds) }

    init(_ start: Start) {
        sessionID = start.sessionID
        last = start.last.map { EventTime(microseconds: $0) }
    }

    /// Whether an event at `time` still belongs to ``sessionID``.
    func holds(at time: EventTime) -> Bool {
        guard sessionID != nil, let last else { return false }
        return Self.surelyHolds(at: time, after: last) || time.duration(since: last) <= Self.maximumPause
    }

    /// Whether two events are so close that no session ends between them. Most are, and microseconds are compared faster
    /// than durations.
    @inline(__always)
    static func surelyHolds(at time: EventTime, after last: EventTime) -> Bool {
        time.microseconds &- last.microseconds <= 1_000_000
    }

    /// Takes note of an event.
    mutating func passed(_ time: EventTime) { last = max(time, last ?? time) }

    /// The session of an event at `time`; `makeID` is asked if that starts one.
    mutating func session(at time: EventTime, makeID: () -> String) -> String {
        defer { passed(time) }
        if holds(at: time), let sessionID { return sessionID }
        let made = makeID()
        sessionID = made
        return made
    }

    /// Makes the next event start a session, and gives the one that ended.
    mutating func end() -> String? {
        defer { sessionID = nil }
        return sessionID
    }
}

/// Whether a tracker continues the session of the log's newest event.
public enum SessionStart: Sendable {
    /// Continues it if that event is at most 30 minutes old: for an app, whose log is its own.
    case resumed
    /// Starts a session with the first event: for one of several users of one log.
    case fresh

    func rule(_ log: any EventStore, _ storage: any KeyValueStorage) throws -> SessionRule {
        switch self {
        case .resumed: SessionRule(resuming: log.newest, unless: try storage.string(forKey: Tracker.endedSessionKey))
        case .fresh: SessionRule()
        }
    }
}
