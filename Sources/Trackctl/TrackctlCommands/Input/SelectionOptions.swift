internal import ArgumentParser
internal import EventModel
internal import EventQuery
internal import Foundation

/// Which events are meant, by what is in them. All that is given must hold.
struct SelectionOptions: ParsableArguments {
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Only events at or after this time: RFC 3339, 2018-09-12, -15m, yesterday, or seconds since 1970.",
            valueName: "time"),
        transform: Self.time)
    var since: TimeExpression?

    @Option(
        parsing: .unconditional, help: ArgumentHelp("Only events before this time.", valueName: "time"),
        transform: Self.time)
    var until: TimeExpression?

    @Option(
        name: .customLong("event"),
        help: ArgumentHelp(
            "Only events of this name; * and ? stand for any text and any character. Several: any of them.",
            valueName: "glob"))
    var names: [String] = []

    @Option(
        name: .customLong("user"),
        help: ArgumentHelp("Only events of this user_id. Several: any of them.", valueName: "id"))
    var users: [String] = []

    @Option(
        name: .customLong("session"),
        help: ArgumentHelp("Only events of this session_id. Several: any of them.", valueName: "id"))
    var sessions: [String] = []

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp("Only the event of this id. Several: any of them.", valueName: "id"),
        transform: Self.eventID)
    var ids: [EventID] = []

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only events for which this holds, such as 'event.value.page >= 2'. Several: all of them.",
            valueName: "condition"),
        transform: Self.condition)
    var conditions: [Condition] = []

    @Option(
        help: ArgumentHelp("Only so much of all, the same in every run: 10% or 0.1.", valueName: "share"))
    var sample: String?

    @Option(
        help: ArgumentHelp(
            "What --sample chooses by: user_id takes all of a user's events, or none.", valueName: "path"),
        transform: Self.path)
    var sampleKey = EventPath.id

    @Flag(help: "Parse every line whole, and leave out what holds no event; else lines are looked at by their shape.")
    var strict = false

    /// When the command was started, what relative times count from. `Trackctl` sets it for each run.
    @TaskLocal static var now = clock

    /// The time of the system.
    static var clock: EventTime { EventTime(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }

    func validate() throws {
        if let since, let until, until.time(now: Self.now) <= since.time(now: Self.now) {
            throw ValidationError("--until must be later than --since: nothing can lie between them")
        }
        _ = try eventSample()
    }

    /// What was asked for.
    ///
    /// - Parameter now: What times such as `yesterday` count from.
    func selection(now: EventTime = Self.now) throws -> EventSelection {
        var selection = EventSelection()
        selection.names = names.map { TextMatcher(glob: $0) }
        selection.users = users.map { TextMatcher(exactly: $0) }
        selection.sessions = sessions.map { TextMatcher(exactly: $0) }
        selection.ids = ids.map { TextMatcher(exactly: $0.description) }
        selection.since = since?.time(now: now)
        selection.until = until?.time(now: now)
        selection.conditions = try now == Self.now ? conditions : conditions.map { try Self.condition($0.source, now) }
        selection.sample = try eventSample()
        return selection
    }

    private func eventSample() throws -> EventSample? {
        guard let sample else { return nil }
        guard let read = EventSample(share: sample, key: sampleKey) else {
            throw ValidationError("--sample is above 0% and at most 100%, such as 10% or 0.1")
        }
        return read
    }

    @Sendable
    private static func time(_ text: String) throws -> TimeExpression {
        guard let time = TimeExpression(text) else {
            throw ValidationError(
                "write a time like 2018-09-12T11:54:07Z, 2018-09-12, 1536753247.351338, -15m, today or yesterday")
        }
        return time
    }

    @Sendable
    private static func eventID(_ text: String) throws -> EventID {
        guard let id = EventID(text) else {
            throw ValidationError("an event's id is a UUID like 018f3c00-0000-7000-8000-000000000001")
        }
        return id
    }

    @Sendable
    private static func condition(_ text: String) throws -> Condition { try condition(text, now) }

    private static func condition(_ text: String, _ now: EventTime) throws -> Condition {
        try TypedOption.read(text) { text throws(TypedTextError) in try Condition(text, now: now) }
    }

    @Sendable
    private static func path(_ text: String) throws -> EventPath {
        try TypedOption.read(text) { text throws(TypedTextError) in try EventPath(text) }
    }
}
