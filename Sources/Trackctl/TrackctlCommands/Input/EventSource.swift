internal import CommandSupport
internal import EventLog
internal import EventQuery
internal import LogFiles
internal import LogReplay

/// An input of a command: a collector, or a file, which its content identifies as an event log or as lines.
final class EventSource {
    private enum Content {
        case text(TextChunker)
        case rows(RowChunker)
        case letters(LetterChunker)
        case collector(CollectorLines)
    }

    /// The input's name in messages.
    let name: String
    /// Whether another program may still be writing to the input.
    let isLive: Bool
    /// The install of an event log; nil for other inputs.
    let installID: String?
    private let reader: EventLogReader?
    private var content: Content

    /// Opens an input.
    ///
    /// - Parameters:
    ///   - path: A file, `-` for standard input, or the URL of a collector.
    /// - location: The input's index.
    /// - collectors: Opens a collector; nil if the command reads none.
    /// - selection: Event logs and collectors skip events that it excludes, as far as their index allows.
    /// - letters: Whether to read the dead letters of an event log instead of its events. Other inputs are then an
    ///   error.
    /// - held: How to treat held events.
    /// - longest: The maximum number of bytes to keep of a line.
    /// - Throws: `EventLogError`, `LogFileError`, `DeliverySetupError` or ``CommandFailure``.
    init(
        path: String, location: Int, collectors: CollectorAccess? = nil, selection: EventSelection = EventSelection(),
        letters: Bool = false, held: HeldEventsRule = .included, longest: Int = TextChunker.longestChecked
    ) throws {
        if let collectors, CollectorAddress.isOne(path) {
            guard held != .only else { throw Self.needsLog(path) }
            let lines = CollectorLines(try collectors.client(path), input: location, selection: selection)
            name = lines.name
            isLive = false
            installID = nil
            reader = nil
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
                content = .letters(LetterChunker(reader, input: location, consent: try reader.storedConsent()))
                return
            }
            let install = try reader.installID()
            installID = install
            content = .rows(
                RowChunker(
                    reader, input: location, after: selection.after?.highestSeq(of: install) ?? 0, selection: selection,
                    longest: longest, rule: held, consent: held == .included ? nil : try reader.storedConsent()))
        } else {
            guard held != .only else { throw Self.needsLog(name) }
            guard !letters else {
                throw CommandFailure(
                    .usage,
                    "\(name) is not an event log: --dlq needs an event log; for a file of dead letters, use --from-dlq"
                )
            }
            reader = nil
            installID = nil
            isLive = !file.isRegularFile
            content = .text(TextChunker(file, input: location, longest: longest))
        }
    }

    private static func needsLog(_ name: String) -> CommandFailure {
        CommandFailure(.usage, "\(name) is not an event log: --held needs one, because only a log knows about consent")
    }

    /// The next lines; nil at the end.
    ///
    /// - Throws: `LogFileError`, `EventLogError` or `CollectorError`, after all complete lines before the error.
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

    /// The loss ledger of an event log; empty for other inputs.
    func ledger() throws -> [LedgerEntry] { try reader?.ledger() ?? [] }
}

/// Distinguishes databases from files of lines.
enum DatabaseInput {
    /// Whether a file is a database.
    ///
    /// - Throws: ``CommandFailure``, `dataError`, for a database that is not a regular file, and for a file with a
    ///   database's name but other content.
    static func isOne(_ file: LogFileBlocks, path: String) throws -> Bool {
        if file.format == .sqlite {
            guard file.isRegularFile else {
                throw CommandFailure(
                    .dataError,
                    "\(file.name) is an SQLite database, which cannot be read from a pipe: pass the file's path")
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

/// Reads the dead letters of a log, oldest first. A line's number is the number of its letter.
struct LetterChunker {
    private let reader: EventLogReader
    private let input: Int
    private let consent: StoredConsent
    private var last: Int64 = 0
    /// The letters in a chunk, of at most 64 KiB each.
    private static let lettersAtOnce = 100

    init(_ reader: EventLogReader, input: Int, consent: StoredConsent) {
        self.consent = consent
        self.reader = reader
        self.input = input
    }

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
            let hold = letter.line.withUnsafeBytes { consent.holdReason(of: $0, for: letter.purpose) }
            rows.append(
                LineChunk.Row(
                    start: start, end: chunk.bytes.count, number: letter.number,
                    standing: LineStanding(purpose: letter.purpose, hold: hold)))
            chunk.bytes.append(UInt8(ascii: "\n"))
        }
        chunk.rows = rows
        return chunk
    }
}

/// Replaces dead letters by the lines that they hold.
struct DeadLetterOpener {
    /// The current input, and the lines of it read so far.
    private var input = -1
    private var lines: Int64 = 0

    /// Replaces the letters of a chunk.
    ///
    /// - Parameter issue: Called for each line that is not a dead letter.
    mutating func open(_ chunk: inout LineChunk, name: String, issue: (InputError) -> Void) {
        if chunk.input != input {
            input = chunk.input
            lines = 0
        }
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
