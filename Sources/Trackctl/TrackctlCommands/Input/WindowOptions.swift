internal import ArgumentParser
internal import EventQuery

/// Selects events by their position among the selected ones.
struct WindowOptions: ParsableArguments {
    @Option(name: [.customShort("n"), .long], help: ArgumentHelp("Last N events.", valueName: "count"))
    var last: Int?

    @Option(help: ArgumentHelp("First N events.", valueName: "count"))
    var limit: Int?

    @Option(
        help: ArgumentHelp("Only events after this cursor, as printed by --show-cursor.", valueName: "cursor"),
        transform: Self.cursor)
    var afterCursor: EventCursor?

    @Flag(help: "Print the cursor to continue from, on standard error.")
    var showCursor = false

    @Option(
        help: ArgumentHelp(
            "Continue from the cursor in this file, and store the new one: each run gives only new events.",
            valueName: "file"))
    var cursorFile: String?

    func validate() throws {
        guard limit ?? 1 > 0 else { throw ValidationError("--limit must be at least 1") }
        guard last ?? 1 > 0 else { throw ValidationError("--last must be at least 1") }
        guard afterCursor == nil || cursorFile == nil else {
            throw ValidationError("--after-cursor and --cursor-file both set a cursor: pass only one of them")
        }
    }

    @Sendable
    private static func cursor(_ text: String) throws -> EventCursor {
        guard let cursor = EventCursor(text) else {
            throw ValidationError("a cursor has the form INSTALL=NUMBER: copy it from the output of --show-cursor")
        }
        return cursor
    }
}
