internal import EventModel
internal import JSONLines
internal import LogFiles
internal import TextRendering

/// Reads one file of lines to its end, and notes what is wrong with it.
struct LineFileReading {
    private let file: LineFile
    private let isBeingWritten: Bool
    /// Whether the file stands beside the plain one that it was packed from.
    private let isCopy: Bool
    private var lines: Int64 = 0
    private var faulty: Int64 = 0
    private var firstIssue: (line: Int, reason: String)?
    private var isTorn = false
    /// Whether all that the last line lacks is its line feed.
    private var isUnended = false
    private var damage: LogFileError?
    private var format = LogFileFormat.text

    init(_ file: LineFile, isBeingWritten: Bool, isCopy: Bool) {
        self.file = file
        self.isBeingWritten = isBeingWritten
        self.isCopy = isCopy
    }

    /// Shows every container to `body`. In dead letters and recordings any JSON will do.
    ///
    /// - Throws: ``LogFileError`` for a file that cannot be opened, and what `body` throws.
    mutating func read(_ body: (RecordedContainer) throws -> Void) throws {
        let blocks = try LogFileBlocks(path: file.path)
        format = blocks.format
        let reader = LogFileReader(blocks)
        while true {
            do {
                guard let (line, number) = try reader.next() else { return }
                try take(line, number, body)
            } catch let error as LogFileError {
                damage = error
                return
            }
        }
    }

    private mutating func take(
        _ line: LineSplitter.Line, _ number: Int, _ body: (RecordedContainer) throws -> Void
    ) throws {
        lines += 1
        switch line {
        case .torn(let bytes):
            isUnended = file.isWhole(bytes)
            isTorn = !isUnended
            // Not twice, should its writer just end it.
            if isUnended, !isBeingWritten { try take(bytes, number, body) }
        case .tooLong: note(number, "the line is longer than \(LogFileReader.maximumLineLength >> 20) MiB")
        case .complete(let bytes): try take(bytes, number, body)
        }
    }

    private mutating func take(
        _ bytes: [UInt8], _ number: Int, _ body: (RecordedContainer) throws -> Void
    ) throws {
        let container: RecordedContainer?
        do {
            guard file.isDelivered else {
                _ = try JSONParser.parse(bytes)
                return
            }
            container = try RecordedContainer(line: bytes)
        } catch {
            container = nil
            note(number, "\(error)")
        }
        if let container { try body(container) }
    }

    private mutating func note(_ line: Int, _ reason: String) {
        faulty += 1
        firstIssue = firstIssue ?? (line, reason)
    }

    /// What there is to say of the file.
    var finding: Finding {
        let numbers = ["lines": lines, "faulty": faulty, "torn": isTorn ? 1 : 0, "unended": isUnended ? 1 : 0]
        if let damage {
            guard isCopy else {
                return Finding(.fileLines, .error, file.path, Self.words(damage), advice: Self.advice, numbers: numbers)
            }
            return Finding(
                .fileLines, .warning, file.path, "packing it was cut short; the plain file still stands beside it",
                advice: "run trackctl doctor --fix, which gives it another name, and pack the plain file again",
                numbers: numbers, remedy: .setAside(file: file.path))
        }
        if let firstIssue {
            return Finding(
                .fileLines, .error, file.path,
                "\(faulty.grouped) of \(lines.counted("line")) \(faulty == 1 ? "is" : "are") at fault, first line \(firstIssue.line): "
                    + firstIssue.reason,
                advice: "trackctl dump names each and passes on the rest; look for a whole copy", numbers: numbers)
        }
        if isTorn || isUnended { return ending(numbers) }
        if isCopy {
            return Finding(
                .fileLines, .warning, file.path, "the plain file that it was packed from stands beside it",
                advice: "remove the plain one, or its events count twice", numbers: numbers)
        }
        return Finding(.fileLines, .ok, file.path, lines.counted("line"), numbers: numbers)
    }

    /// What there is to say of a last line without a line feed. Nothing is cut off a packed file.
    private func ending(_ numbers: [String: Int64]) -> Finding {
        if isBeingWritten {
            return Finding(
                .fileLines, .note, file.path, "\(lines.counted("line")), the last being written", numbers: numbers)
        }
        let isPlain = format == .text
        if isUnended {
            return Finding(
                .fileLines, .warning, file.path, "its last line has no line feed, and is whole but for that",
                advice: isPlain
                    ? "run trackctl doctor --fix, which adds it" : "unpack it, add a line feed and pack it again",
                numbers: numbers, remedy: isPlain ? .endLastLine(file: file) : nil)
        }
        return Finding(
            .fileLines, .warning, file.path, "its last line has no line feed: a write was cut short",
            advice: isPlain
                ? "run trackctl doctor --fix: the torn line goes to a file of its own"
                : "unpack it, cut the last line off and pack it again",
            numbers: numbers, remedy: isPlain ? .cutTornLine(file: file.path) : nil)
    }

    private static let advice = "get the file again from where it came from; what stands before the fault can be read"

    private static func words(_ error: LogFileError) -> String {
        switch error.code {
        case .truncated: "the compressed data breaks off before its end"
        case .corrupt: "the compressed data is damaged"
        default: error.message
        }
    }
}

extension LineFile {
    /// Whether a line without a line feed is whole: an event, or any object where other lines stand, too.
    func isWhole(_ line: [UInt8]) -> Bool {
        guard !isDelivered else { return (try? RecordedContainer(line: line)) != nil }  // nil: it is not
        guard case .object? = try? JSONParser.parse(line) else { return false }
        return true
    }
}
