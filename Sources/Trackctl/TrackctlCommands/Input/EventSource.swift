internal import EventLog
internal import EventModel
internal import EventQuery
internal import LogFiles

/// An input of a command, opened by its content: an event log or lines.
final class EventSource {
    private enum Content {
        case text(TextChunker)
        case rows(RowChunker)
    }

    /// The input as messages name it.
    let name: String
    /// Whether another program may still be writing what comes next.
    let isLive: Bool
    /// Of an event log, the install whose events these are.
    let installID: String?
    private let reader: EventLogReader?
    private var content: Content

    /// Opens an input.
    ///
    /// - Parameters:
    ///   - path: A file, or `-` for standard input.
    ///   - place: Its place among all inputs.
    ///   - selection: Of an event log, what its columns can tell is left out.
    ///   - longest: How much of a longer line is kept, in bytes.
    /// - Throws: `EventLogError`, `LogFileError` or ``CommandFailure``.
    init(
        path: String, place: Int, selection: EventSelection = EventSelection(),
        longest: Int = TextChunker.longestChecked
    ) throws {
        let file = try LogFileBlocks(path: path)
        name = file.name
        if try DatabaseInput.isOne(file, path: path) {
            let reader = try EventLogReader(path: path)
            self.reader = reader
            isLive = false
            let install = try reader.installID()
            installID = install
            content = .rows(
                RowChunker(
                    reader, input: place, after: selection.after?.highestSeq(of: install) ?? 0, selection: selection,
                    longest: longest))
        } else {
            reader = nil
            installID = nil
            isLive = !file.isRegularFile
            content = .text(TextChunker(file, input: place, longest: longest))
        }
    }

    /// The next lines; nil at the end.
    ///
    /// - Throws: `LogFileError` or `EventLogError`, after all complete lines before the fault.
    func next() throws -> LineChunk? {
        switch content {
        case .text(var chunker):
            defer { content = .text(chunker) }
            return try chunker.next()
        case .rows(var chunker):
            defer { content = .rows(chunker) }
            return try chunker.next()
        }
    }

    /// What the log lost on purpose; nothing for lines.
    func ledger() throws -> [LedgerEntry] { try reader?.ledger() ?? [] }
}
