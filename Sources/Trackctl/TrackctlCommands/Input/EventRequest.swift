internal import CommandSupport
internal import EventQuery
internal import Foundation
internal import LogFiles

/// Which events of which inputs a command was asked for.
struct EventRequest {
    /// Files, `-` for standard input, or URLs of collectors, in their order.
    var paths: [String]
    /// Opens collectors; nil if the command reads none.
    var collectors: CollectorAccess?
    var selection = EventSelection()
    /// Whether the inputs hold dead letters, whose lines are meant.
    var holdsDeadLetters = false
    /// Whether of event logs the dead letters are meant, not the events.
    var readsDeadLetters = false
    /// Whether every line is parsed, and not only looked at by its shape.
    var isStrict = false
    /// Only the last so many of those that were selected.
    var last: Int?
    /// The last one first.
    var isReversed = false
    /// At most so many.
    var limit: Int?
    /// Where the place to go on from is kept.
    var cursorFile: CursorFile?
    /// Whether the place to go on from is told at the end.
    var showsCursor = false

    /// Everything of these inputs.
    init(paths: [String]) { self.paths = paths }

    /// Whether a line's place in the order of all matters: the first, the last, those after a cursor.
    var hasWindow: Bool { last != nil || isReversed || limit != nil || tracksCursor }

    /// Whether every line of every input is asked for.
    var isOpen: Bool { selection.isOpen && !hasWindow && !isStrict }

    /// An input as messages name it.
    func name(ofInput location: Int) -> String { paths[location] == "-" ? "<stdin>" : paths[location] }

    /// Checks whether the inputs can be read as it was asked for.
    ///
    /// - Throws: ``CommandFailure``, `usage`.
    func checkCollectors() throws {
        guard let url = paths.first(where: CollectorAddress.isOne) else { return }
        guard collectors != nil else {
            throw CommandFailure(
                .usage, "this command reads files, not \(url): write its lines to one by 'trackctl dump'")
        }
        // A collector stores a number that was held after a higher one.
        guard !tracksCursor, selection.after == nil else {
            throw CommandFailure(
                .usage,
                """
                a cursor of \(url) would skip events: a collector may store a lower number of an install after a higher \
                one; leave out --cursor-file, --show-cursor and --after-cursor, or dump to a file first
                """)
        }
    }

    /// How many bytes of lines there are to read, if every input says it before it is read: plain files do.
    var expectedBytes: Int? {
        // What cannot be opened is reported when it is read.
        paths.reduce(0) { total, path -> Int? in
            // To open a pipe would take its first bytes away.
            guard let total, path != "-", let identity = FileIdentity(path: path), identity.isRegularFile,
                let file = try? LogFileBlocks(path: path), file.format == .text
            else { return nil }
            return total + Int(identity.length)
        }
    }

    var tracksCursor: Bool { cursorFile != nil || showsCursor }
}

/// A file that keeps a cursor from one run to the next.
struct CursorFile {
    let path: String

    /// The cursor that was kept; nil if there is no file yet.
    ///
    /// - Throws: ``CommandFailure``: `inputOutput`, `dataAtFault`.
    func read() throws -> EventCursor? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputOutput, "\(path) cannot be read: check its permissions")
        }
        let text = String(decoding: data, as: UTF8.self)
        guard let cursor = EventCursor(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw CommandFailure(
                .dataError, "\(path) holds no cursor: name another file, or remove it to start from the first event")
        }
        return cursor
    }

    /// Puts a cursor in the place of the one before.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`.
    func write(_ cursor: EventCursor) throws {
        try ReplacedFile.write(Array("\(cursor)\n".utf8), path: path)
    }
}
