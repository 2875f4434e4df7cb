internal import EventModel
internal import JSONLines
internal import LogFiles
internal import TextRendering

/// Reads a file of lines to its end, and collects errors.
struct LineFileReading {
    private let file: LineFile
    private let isBeingWritten: Bool
    /// Whether the file is compressed and its uncompressed original still exists.
    private let isCopy: Bool
    private var lines: Int64 = 0
    private var faulty: Int64 = 0
    private var firstIssue: (line: Int, reason: String)?
    private var isTorn = false
    /// Whether the last line lacks only its line feed.
    private var isUnended = false
    private var damage: LogFileError?
    private var format = LogFileFormat.text

    init(_ file: LineFile, isBeingWritten: Bool, isCopy: Bool) {
        self.file = file
        self.isBeingWritten = isBeingWritten
        self.isCopy = isCopy
    }

    /// Calls `body` with every container. In dead letters and recordings, any JSON is valid.
    ///
    /// - Throws: ``LogFileError`` if the file cannot be opened, and everything that `body` throws.
    mutating func read(_ body: (RecordedContainer) throws -> Void) throws {
        let blocks = try LogFileBlocks(path: file.path)
        format = blocks.format
        let reader = LogFileReader(blocks)
        while true {
            do {
                guard let (line, number) = try reader.next() else { return }
                try check(line, number: number, body)
            } catch let error as LogFileError {
                damage = error
                return
            }
        }
    }

    private mutating func check(
        _ line: LineSplitter.Line, number: Int, _ body: (RecordedContainer) throws -> Void
    ) throws {
        lines += 1
        switch line {
        case .torn(let bytes):
            isUnended = file.isWhole(bytes)
            isTorn = !isUnended
            // Skip it if its writer may just be adding the line feed.
            if isUnended, !isBeingWritten { try check(bytes, number: number, body) }
        case .tooLong: note(number, "the line is longer than \(LogFileReader.maximumLineLength >> 20) MiB")
        case .complete(let bytes): try check(bytes, number: number, body)
        }
    }

    private mutating func check(
        _ bytes: [UInt8], number: Int, _ body: (RecordedContainer) throws -> Void
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

    var finding: Finding {
        let numbers = ["lines": lines, "faulty": faulty, "torn": isTorn ? 1 : 0, "unended": isUnended ? 1 : 0]
        if let damage {
            guard isCopy else {
                return Finding(
                    .fileLines, .error, at: file.path, message: Self.text(damage), advice: Self.advice, numbers: numbers
                )
            }
            return Finding(
                .fileLines, .warning, at: file.path,
                message: "its compression was interrupted; the uncompressed file still exists",
                advice: "run trackctl doctor --fix, which renames it, and compress the original again",
                numbers: numbers, remedy: .setAside(file: file.path))
        }
        if let firstIssue {
            return Finding(
                .fileLines, .error, at: file.path,
                message: "\(faulty.grouped) of \(lines.counted("line")) malformed, first line \(firstIssue.line): "
                    + firstIssue.reason,
                advice: "trackctl dump reports each of them and outputs the rest; look for an intact copy",
                numbers: numbers)
        }
        if isTorn || isUnended { return ending(numbers) }
        if isCopy {
            return Finding(
                .fileLines, .warning, at: file.path,
                message: "the uncompressed file that it was created from still exists",
                advice: "remove the uncompressed file; otherwise, its events count twice", numbers: numbers)
        }
        return Finding(.fileLines, .ok, at: file.path, message: lines.counted("line"), numbers: numbers)
    }

    /// The finding for a last line without a line feed. Compressed files are not repaired.
    private func ending(_ numbers: [String: Int64]) -> Finding {
        if isBeingWritten {
            return Finding(
                .fileLines, .note, at: file.path, message: "\(lines.counted("line")), the last one being written",
                numbers: numbers)
        }
        let isPlain = format == .text
        if isUnended {
            return Finding(
                .fileLines, .warning, at: file.path, message: "its last line lacks only the line feed",
                advice: isPlain
                    ? "run trackctl doctor --fix, which adds it" : "decompress the file, and add a line feed",
                numbers: numbers, remedy: isPlain ? .endLastLine(file: file) : nil)
        }
        return Finding(
            .fileLines, .warning, at: file.path, message: "its last line has no line feed: a write was interrupted",
            advice: isPlain
                ? "run trackctl doctor --fix: it moves the torn line to a separate file"
                : "decompress it, remove the last line and compress it again",
            numbers: numbers, remedy: isPlain ? .cutTornLine(file: file.path) : nil)
    }

    private static let advice = "get an intact copy of the file; lines before the damage can be read"

    private static func text(_ error: LogFileError) -> String {
        switch error.code {
        case .truncated: "the compressed data ends too early"
        case .corrupt: "the compressed data is damaged"
        default: error.message
        }
    }
}

extension LineFile {
    /// Whether a line without a line feed is complete: an event, or in files with other lines, any object.
    func isWhole(_ line: [UInt8]) -> Bool {
        guard !isDelivered else { return RecordedContainer(validating: line) != nil }  // nil: it is not
        guard case .object? = JSONValue(validating: line) else { return false }
        return true
    }
}
