internal import ArgumentParser
internal import EventModel
internal import EventQuery
internal import Foundation

/// Selects events by content. All conditions must hold.
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
            "Only events with this name; * matches any text, ? any character. Repeatable (any of them).",
            valueName: "glob"))
    var names: [String] = []

    @Option(
        name: .customLong("user"),
        help: ArgumentHelp("Only events of this user_id. Repeatable (any of them).", valueName: "id"))
    var users: [String] = []

    @Option(
        name: .customLong("session"),
        help: ArgumentHelp("Only events of this session_id. Repeatable (any of them).", valueName: "id"))
    var sessions: [String] = []

    @Option(
        name: .customLong("id"),
        help: ArgumentHelp("Only the event with this id. Repeatable (any of them).", valueName: "id"),
        transform: Self.eventID)
    var ids: [EventID] = []

    @Option(
        name: .customLong("where"),
        help: ArgumentHelp(
            "Only events that match, such as 'event.value.page >= 2'. Repeatable (all of them).",
            valueName: "condition"),
        transform: Self.condition)
    var conditions: [Condition] = []

    @Option(
        help: ArgumentHelp("Only a sample, the same in every run: 10% or 0.1.", valueName: "share"))
    var sample: String?

    @Option(
        help: ArgumentHelp(
            """
            Value that decides whether an event is in the sample (default: id). With user_id, the sample has all \
            events of a user or none.
            """, valueName: "path"),
        transform: Self.path)
    var sampleKey = EventPath.id

    @Flag(help: "Parse each line in full and skip lines without an event (default: read only the members needed).")
    var strict = false

    /// The start time of the command, which relative times refer to. `Trackctl` sets it for each run.
    @TaskLocal static var now = clock

    /// The system time.
    static var clock: EventTime { EventTime(microseconds: Int64(Date().timeIntervalSince1970 * 1_000_000)) }

    func validate() throws {
        if let since, let until, until.time(now: Self.now) <= since.time(now: Self.now) {
            throw ValidationError("--until must be later than --since")
        }
        _ = try eventSample()
    }

    /// Creates the selection.
    ///
    /// - Parameter now: The time that `yesterday` and other relative times refer to.
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
            throw ValidationError("--sample must be above 0% and at most 100%, such as 10% or 0.1")
        }
        return read
    }

    @Sendable
    private static func time(_ text: String) throws -> TimeExpression {
        guard let time = TimeExpression(text) else {
            throw ValidationError(
                "write a time such as 2018-09-12T11:54:07Z, 2018-09-12, 1536753247.351338, -15m, today or yesterday")
        }
        return time
    }

    @Sendable
    private static func eventID(_ text: String) throws -> EventID {
        guard let id = EventID(text) else {
            throw ValidationError("an event id is a UUID such as 018f3c00-0000-7000-8000-000000000001")
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

/// Options whose parse errors have a position.
enum TypedOption {
    /// Parses a value.
    ///
    /// - Throws: `ValidationError` that shows the text with a mark under the error.
    static func read<Value>(
        _ text: String, _ make: (String) throws(TypedTextError) -> Value
    ) throws -> Value {
        do { return try make(text) } catch { throw ValidationError(error.description) }
    }
}

struct InputOptions: ParsableArguments {
    static let help = ArgumentHelp(
        """
        Event logs, files of JSON lines (plain, gzip or zstd), folders of them, or quoted patterns; - for \
        standard input.
        """, valueName: "inputs")

    @Argument(help: Self.help)
    var inputs: [String]
}
