internal import CommandSupport
internal import EventQuery
internal import Foundation
internal import LogFiles

/// The inputs and the selection of events of a command.
struct EventRequest {
    /// Files, `-` for standard input, or collector URLs, in order.
    var paths: [String]
    /// Opens collectors; nil if the command reads none.
    var collectors: CollectorAccess?
    var selection = EventSelection()
    /// Whether the inputs are files of dead letters, to be read as the lines that they hold.
    var holdsDeadLetters = false
    /// Whether to read the dead letters of event logs instead of the events.
    var readsDeadLetters = false
    /// How to treat events that may not be delivered because of their users' consent.
    var held = HeldEventsRule.included
    /// Whether to parse each line in full, rather than only the members needed.
    var isStrict = false
    /// Only the last N of the selected events.
    var last: Int?
    /// Newest first.
    var isReversed = false
    /// Only the first N.
    var limit: Int?
    /// The file that keeps the cursor.
    var cursorFile: CursorFile?
    /// Whether to print the cursor at the end.
    var showsCursor = false

    /// Selects all events of these inputs.
    init(paths: [String]) { self.paths = paths }

    /// Whether the result depends on the order of events: first, last, or after a cursor.
    var hasWindow: Bool { last != nil || isReversed || limit != nil || tracksCursor }

    /// Whether every line of every input is selected.
    var isOpen: Bool { selection.isOpen && !hasWindow && !isStrict }

    /// The input's name in messages.
    func name(ofInput location: Int) -> String { paths[location] == "-" ? "<stdin>" : paths[location] }

    /// Checks that collectors among the inputs can be read as requested.
    ///
    /// - Throws: ``CommandFailure``, `usage`.
    func checkCollectors() throws {
        guard let url = paths.first(where: CollectorAddress.isOne) else { return }
        guard collectors != nil else {
            throw CommandFailure(
                .usage, "this command cannot read \(url): save its lines to a file with 'trackctl dump', and read that")
        }
        // A collector may store a held number after a higher one.
        guard !tracksCursor, selection.after == nil else {
            throw CommandFailure(
                .usage,
                """
                \(url) is a collector, which may store an install's lower number after a higher one, so a cursor would \
                skip events: leave out --cursor-file, --show-cursor and --after-cursor, or dump to a file first
                """)
        }
    }

    /// The total size of the inputs in bytes; nil unless all are plain files.
    var expectedBytes: Int? {
        // Errors of opening are reported when the input is read.
        paths.reduce(0) { total, path -> Int? in
            // Opening a pipe would consume its first bytes.
            guard let total, path != "-", let identity = FileIdentity(path: path), identity.isRegularFile,
                let file = try? LogFileBlocks(path: path), file.format == .text
            else { return nil }
            return total + Int(identity.length)
        }
    }

    var tracksCursor: Bool { cursorFile != nil || showsCursor }
}

/// A file that keeps a cursor between runs.
struct CursorFile {
    let path: String

    /// The stored cursor; nil if the file does not exist.
    ///
    /// - Throws: ``CommandFailure``: `inputOutput`, `dataError`.
    func read() throws -> EventCursor? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputOutput, "cannot read \(path): check its permissions")
        }
        let text = String(decoding: data, as: UTF8.self)
        guard let cursor = EventCursor(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandFailure(
                .dataError, "no cursor in \(path): choose another file, or remove it to start from the first event")
        }
        return cursor
    }

    /// Replaces the stored cursor.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(_ cursor: EventCursor) throws {
        try ReplacedFile.write(Array("\(cursor)\n".utf8), path: path)
    }
}
