internal import ArgumentParser
internal import EventQuery

/// Which of the selected events are meant, by their place among them.
struct WindowOptions: ParsableArguments {
    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("Only the last so many.", valueName: "count"))
    var last: Int?

    @Option(help: ArgumentHelp("At most so many, from the first on.", valueName: "count"))
    var limit: Int?

    @Option(
        help: ArgumentHelp("Only what comes after this place, which --show-cursor told.", valueName: "cursor"),
        transform: Self.cursor)
    var afterCursor: EventCursor?

    @Flag(help: "Tell the place to go on from, on standard error.")
    var showCursor = false

    @Option(
        help: ArgumentHelp(
            "Go on from the place in this file, and keep the new one there: each run gives what is new.",
            valueName: "file"))
    var cursorFile: String?

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be at least 1") }
        guard last ?? 1 > 0 else { throw ValidationError("--last must be at least 1") }
        guard afterCursor == nil || cursorFile == nil else {
            throw ValidationError("--after-cursor and --cursor-file both say where to go on: give one of them")
        }
    }

    @Sendable
    private static func cursor(_ text: String) throws -> EventCursor {
        guard let cursor = EventCursor(text) else {
            throw ValidationError("a cursor looks like INSTALL=NUMBER: take it as --show-cursor told it")
        }
        return cursor
    }
}
