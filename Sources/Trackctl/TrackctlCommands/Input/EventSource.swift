internal import CommandSupport
internal import EventLog
internal import EventQuery
internal import LogFiles
internal import LogReplay

/// An input of a command: a collector by its URL, or a file by its content, an event log or lines.
final class EventSource {
    private enum Content {
        case text(TextChunker)
        case rows(RowChunker)
        case letters(LetterChunker)
        case collector(CollectorLines)
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
    ///   - path: A file, `-` for standard input, or the URL of a collector.
    ///   - location: Its place among all inputs.
    ///   - collectors: Opens a collector; nil if the command reads none.
    ///   - selection: Of an event log and a collector, what they can tell is left out.
    ///   - letters: Whether of an event log the dead letters are read, not the events; nothing else can be read then.
    ///   - longest: How much of a longer line is kept, in bytes.
    /// - Throws: `EventLogError`, `LogFileError`, `DeliverySetupError` or ``CommandFailure``.
    init(
        path: String, location: Int, collectors: CollectorAccess? = nil, selection: EventSelection = EventSelection(),
        letters: Bool = false, longest: Int = TextChunker.longestChecked
    ) throws {
        if let collectors, CollectorAddress.isOne(path) {
            let lines = CollectorLines(try collectors.client(path), input: location, selection: selection)
            name = lines.name
            (isLive, installID, reader) = (false, nil, nil)
            content = .collector(lines)
            return
        }
        let file = try LogFileBlocks(path: path)
        name = file.name
        if try DatabaseInput.isOne(file, path: path) {
            let reader = try EventLogReader(path: path)
            self.reader = reader
            isLive = false
            if letters {
                installID = nil
                content = .letters(LetterChunker(reader, input: location))
                return
            }
            let install = try reader.installID()
            installID = install
            content = .rows(
                RowChunker(
                    reader, input: location, after: selection.after?.highestSeq(of: install) ?? 0, selection: selection,
                    longest: longest))
        } else {
            guard !letters else {
                throw CommandFailure(
                    .usage,
                    "\(name) is no event log, and --dlq reads the dead letters of one; for a file of dead letters give --from-dlq"
                )
            }
            reader = nil
            installID = nil
            isLive = !file.isRegularFile
            content = .text(TextChunker(file, input: location, longest: longest))
        }
    }

    /// The next lines; nil at the end.
    ///
    /// - Throws: `LogFileError`, `EventLogError` or `CollectorError`, after all complete lines before the fault.
    func next() throws -> LineChunk? {
        switch content {
        case .text(var chunker):
            defer { content = .text(chunker) }
            return try chunker.next()
        case .rows(var chunker):
            defer { content = .rows(chunker) }
            return try chunker.next()
        case .letters(var chunker):
            defer { content = .letters(chunker) }
            return try chunker.next()
        case .collector(let lines): return try lines.next()
        }
    }

    /// What the log lost on purpose; nothing for lines.
    func ledger() throws -> [LedgerEntry] { try reader?.ledger() ?? [] }
}

/// Tells databases from files of lines.
enum DatabaseInput {
    /// Whether a file is a database.
    ///
    /// - Throws: ``CommandFailure``, `dataAtFault`, for a database that cannot be opened, and for a file that has nothing
    ///   of a database but the name.
    static func isOne(_ file: LogFileBlocks, path: String) throws -> Bool {
        if file.format == .sqlite {
            guard file.isRegularFile else {
                throw CommandFailure(
                    .dataError,
                    "\(file.name) carries an SQLite database, which must be a file: name that file instead")
            }
            return true
        }
        guard !LogPaths.isNamedLikeDatabase(path) else {
            throw CommandFailure(
                .dataError,
                "\(path) is named like a database but is not an SQLite database: rename it if it holds JSON lines")
        }
        return false
    }
}

/// Reads the lines of a log's dead letters, the oldest first. A line's number is its letter's.
struct LetterChunker {
    private let reader: EventLogReader
    private let input: Int
    private var last: Int64 = 0
    /// Letters in one chunk, of at most 64 KiB each.
    private static let lettersAtOnce = 100

    init(_ reader: EventLogReader, input: Int) { (self.reader, self.input) = (reader, input) }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `EventLogError`.
    mutating func next() throws -> LineChunk? {
        let letters = try reader.deadLetters(after: last, maximumCount: Self.lettersAtOnce)
        guard let newest = letters.last else { return nil }
        last = newest.number
        var chunk = LineChunk(input: input, isDatabase: true)
        var rows: [LineChunk.Row] = []
        for letter in letters {
            let start = chunk.bytes.count
            chunk.bytes += letter.line
            rows.append(LineChunk.Row(start: start, end: chunk.bytes.count, number: letter.number))
            chunk.bytes.append(UInt8(ascii: "\n"))
        }
        chunk.rows = rows
        return chunk
    }
}

/// Puts the lines that dead letters hold in the place of the letters.
struct DeadLetterOpener {
    /// The input that is being read, and how many lines of it were seen.
    private var input = -1
    private var lines: Int64 = 0

    /// Opens the letters of a chunk.
    ///
    /// - Parameter issue: Told of each line that is no letter.
    mutating func open(_ chunk: inout LineChunk, name: String, issue: (InputError) -> Void) {
        if chunk.input != input { (input, lines) = (chunk.input, 0) }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(chunk.bytes.count)
        var rows: [LineChunk.Row] = []
        chunk.forEachLine { line in
            lines += 1
            do {
                if line.isTorn { throw InputError.torn(input: name, line: lines) }
                if line.bytes.isEmpty { throw InputError.empty(input: name, line: lines) }
                let start = bytes.count
                bytes += try DeadLetter.line(of: line.bytes)
                rows.append(LineChunk.Row(start: start, end: bytes.count, number: lines))
            } catch {
                issue(error as? InputError ?? InputError(error, input: name, line: lines))
            }
            return true
        }
        chunk.bytes = bytes
        chunk.rows = rows
    }
}
