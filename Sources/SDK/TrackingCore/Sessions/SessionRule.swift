internal import EventLog
internal import EventModel

/// Determines when a session starts: at launch, at the first event more than 30 minutes after the last one, or at the
/// first event 24 hours after the session's start. After a restart within 30 minutes, the session continues.
///
/// The newest event of the log contains the last session and its time. Only a session that a reset has ended is stored
/// separately, so that a restart right after the reset does not continue the former user's session. A continued session
/// starts at the time of its oldest event in the log. Users of ``Tracker/as(user:)`` have separate sessions, which end
/// with the process; if the newest event is one of theirs, the present person's next event starts a session. If the app opens the log, as in
/// `TrackingEnvironment.live(log:…)`, a continued session starts at the time of its newest event.
public struct SessionRule: Sendable {
    /// The maximum pause within a session: 30 minutes.
    public static let maximumPause: Duration = .seconds(30 * 60)
    /// The maximum length of a session: 24 hours.
    public static let maximumLength: Duration = .seconds(24 * 60 * 60)

    private(set) var sessionID: String?
    private(set) var last: EventTime?
    /// When the session started.
    private(set) var started: EventTime?

    /// - Parameters:
    ///   - newest: The newest event of the log; nil to start a session with the next event.
    ///   - ended: The session that a reset has ended.
    ///   - people: The ids of the present person. Another process's reset may have ended the session of another person.
    init(resuming newest: EventRecord?, unless ended: String?, of people: [String?]) {
        guard let newest else { return }  // a new session
        let line = RecordedContainer(validating: newest.line)?.json
        let session = line?[.sessionID]?.stringValue
        sessionID = session == ended || !people.contains(line?[.userID]?.stringValue) ? nil : session
        last = newest.time
        started = newest.time
    }

    /// Sets the start of the session to the time of its oldest event in the log.
    ///
    /// Among the person's events, those of the newest session are the last ones, so a binary search finds the oldest one.
    /// Other users' events may be between them: if they are many, the search ends at an event that is not the oldest.
    /// Blocks the thread.
    ///
    /// - Parameter people: The ids of the present person.
    mutating func findStart(in log: any EventStore, of people: [String?]) throws {
        guard let sessionID, let newest = log.newest, newest.line(.sessionID) == sessionID else { return }
        var reads = Self.maximumReads
        // The person's first event after `before` belongs to another session; the one after `end` to this one.
        var before = Int64(-1)
        var end = newest.seq
        while before + 1 < end, reads > 0 {
            let middle = before + (end - before) / 2
            let found = try Self.firstEvent(in: log, after: middle, before: end, of: people, &reads)
            if let found, found.line(.sessionID) != sessionID {
                before = middle
                continue
            }
            end = middle
            if let found { started = min(started ?? found.time, found.time) }
        }
    }

    /// The most events to read in a search.
    private static let maximumReads = 20_000

    /// A person's first event between two numbers; nil if there is none.
    private static func firstEvent(
        in log: any EventStore, after start: Int64, before end: Int64, of people: [String?], _ reads: inout Int
    ) throws -> EventRecord? {
        var last = start
        var count = 1
        while last < end, reads > 0 {
            let events = try log.readBlocking(after: last, maximumCount: count, maximumBytes: .max)
            reads -= max(events.count, 1)
            guard let newest = events.last else { return nil }
            if let found = events.first(where: { people.contains($0.line(.userID)) }) {
                return found.seq <= end ? found : nil
            }
            last = newest.seq
            count = min(count * 8, 500)
        }
        return nil
    }

    init() {}

    /// The initial session, as a recording stores it.
    struct Start: Codable {
        let sessionID: String?
        let last: Int64?
        /// nil in recordings of earlier versions.
        let started: Int64?

        private enum CodingKeys: String, CodingKey {
            case sessionID = "session_id"
            case last, started
        }
    }

    /// The state of the rule before the first event.
    var start: Start {
        Start(sessionID: sessionID, last: last?.microseconds, started: started?.microseconds)
    }

    init(_ start: Start) {
        sessionID = start.sessionID
        last = start.last.map { EventTime(microseconds: $0) }
        started = (start.started ?? start.last).map { EventTime(microseconds: $0) }
    }

    /// Whether an event at `time` belongs to ``sessionID``.
    func holds(at time: EventTime) -> Bool {
        guard sessionID != nil, let last else { return false }
        return Self.holds(at: time, after: last, until: expiry)
    }

    /// Whether an event at `time` belongs to a session with a previous event, which ends at `expiry`.
    @inline(__always)
    static func holds(at time: EventTime, after last: EventTime, until expiry: EventTime) -> Bool {
        time < expiry && (surelyHolds(at: time, after: last) || time.duration(since: last) <= maximumPause)
    }

    /// The time at which the session has its maximum length.
    var expiry: EventTime { started.map(Self.expiry(ofSessionStartedAt:)) ?? EventTime(microseconds: .max) }

    static func expiry(ofSessionStartedAt started: EventTime) -> EventTime {
        let (end, isLate) = started.microseconds.addingReportingOverflow(Int64(maximumLength / .microseconds(1)))
        return EventTime(microseconds: isLate ? .max : end)
    }

    /// Whether two events are so close that no pause between them ends a session. This is the usual case, and comparing
    /// microseconds is faster than comparing durations.
    @inline(__always)
    static func surelyHolds(at time: EventTime, after last: EventTime) -> Bool {
        time.microseconds &- last.microseconds <= 1_000_000
    }

    mutating func passed(_ time: EventTime) { last = max(time, last ?? time) }

    /// Returns the session of an event at `time`. Calls `makeID` if the event starts a session.
    mutating func session(at time: EventTime, makeID: () -> String) -> String {
        defer { passed(time) }
        if holds(at: time), let sessionID { return sessionID }
        let made = makeID()
        sessionID = made
        started = time
        return made
    }

    /// Names the session, which had no id before.
    mutating func name(_ id: String) { sessionID = id }

    /// Ends the session, so that the next event starts a new one. Returns the session that ended.
    mutating func end() -> String? {
        defer { sessionID = nil }
        return sessionID
    }
}

extension EventRecord {
    /// A text in the line.
    func line(_ member: EnvelopeMember) -> String? {
        RecordedContainer(validating: line)?.json[member]?.stringValue
    }
}

/// Whether a tracker continues the session of the log's newest event.
public enum SessionStart: Sendable {
    /// Continues the session if that event is at most 30 minutes old. For an app with its own log.
    case resumed
    /// Starts a session with the first event. For one of several users of a log.
    case fresh
}
