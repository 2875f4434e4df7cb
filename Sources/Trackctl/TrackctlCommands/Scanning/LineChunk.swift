internal import EventLog
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles
internal import TrackingPlan

/// Lines of one input that stand one after the other: what one thread checks at a time.
struct LineChunk: Sendable {
    /// A line that is told apart already: of a database, or one that was selected.
    struct Row {
        let start: Int
        let end: Int
        /// Of text, the line's number in the input, from 1; of a database, the event's number.
        let number: Int64
    }

    /// The input's place among all.
    let input: Int
    /// How many lines of the input come before, if whoever made the chunk knows.
    var linesBefore: Int64?
    /// Whether the lines are the rows of a database.
    var isDatabase = false
    /// The lines, each with its line feed but for the last one of a text.
    var bytes: [UInt8] = []
    /// The lines that count; nil for all lines of text.
    var rows: [Row]?

    /// A line where its bytes lie.
    struct Line {
        /// Its bytes without the line feed.
        let bytes: UnsafeRawBufferPointer
        /// A row's own number; else the number within the chunk from 1.
        let number: Int64
        /// Whether it has no line feed though it should.
        let isTorn: Bool
    }

    /// Whether the bytes are the lines that count, each with its line feed, and nothing else: then they can be written as
    /// they are.
    var isWhole: Bool {
        guard let rows else { return bytes.last == 0x0A }
        var next = 0
        for row in rows {
            guard row.start == next else { return false }
            next = row.end + 1
        }
        return next == bytes.count
    }

    /// Shows each line, in order, until `body` answers false.
    func forEachLine(_ body: (Line) throws -> Bool) rethrows {
        try bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            if let rows { try Self.show(rows, bytes, body) } else { try Self.split(start, bytes.count, body) }
        }
    }

    @inline(__always)
    private static func split(_ start: UnsafeRawPointer, _ count: Int, _ body: (Line) throws -> Bool) rethrows {
        var at = 0
        var number: Int64 = 0
        while at < count {
            let feed = memchr(start + at, 0x0A, count - at)
            let end = feed.map { UnsafeRawPointer($0) - start } ?? count
            number += 1
            let line = UnsafeRawBufferPointer(start: start + at, count: end - at)
            guard try body(Line(bytes: line, number: number, isTorn: feed == nil)) else { return }
            at = end + 1
        }
    }

    private static func show(
        _ rows: [Row], _ bytes: UnsafeRawBufferPointer, _ body: (Line) throws -> Bool
    ) rethrows {
        for row in rows {
            let line = UnsafeRawBufferPointer(rebasing: bytes[row.start..<row.end])
            guard try body(Line(bytes: line, number: row.number, isTorn: false)) else { return }
        }
    }
}

/// Reads a file of lines as chunks of whole lines, in flat memory. What is not a regular file is passed on as it comes.
struct TextChunker {
    /// How many bytes are read at a time; the line that they break off in is the first of the next chunk.
    static let chunkSize = 256 << 10
    /// Of a longer line only so much is kept, unless more is asked for: enough for a check to know it for too long.
    static let longestChecked = 2 * LineChecker.maximumLength

    private let longest: Int
    private let file: LogFileBlocks
    private let input: Int
    /// The line that the last chunk broke off in.
    private var unfinished: [UInt8] = []
    /// Whether the rest of a line that is too long is being dropped.
    private var isSkipping = false
    private var isAtEnd = false
    private var failure: (any Error)?

    /// - Parameter longest: How much of a longer line is kept, in bytes.
    init(_ file: LogFileBlocks, input: Int, longest: Int = Self.longestChecked) {
        self.longest = longest
        self.file = file
        self.input = input
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `LogFileError`, after all complete lines before the fault.
    mutating func next() throws -> LineChunk? {
        while !isAtEnd {
            let before = unfinished.count
            var bytes = read()
            if isSkipping { skip(&bytes) }
            // What was unfinished has no line feed.
            let end = bytes[before...].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            if isAtEnd {
                // What stands between the last line feed and a fault is no line.
                if failure != nil { bytes.removeLast(bytes.count - end) }
                if !bytes.isEmpty { return LineChunk(input: input, bytes: bytes) }
            } else if end > 0 {
                unfinished = Array(bytes[end...])
                bytes.removeLast(unfinished.count)
                return LineChunk(input: input, bytes: bytes)
            } else {
                isSkipping = isSkipping || bytes.count > longest
                if bytes.count > longest { bytes.removeLast(bytes.count - longest) }
                unfinished = bytes
            }
        }
        if let failure { throw failure }
        return nil
    }

    /// The unfinished line and what follows it.
    private mutating func read() -> [UInt8] {
        let before = unfinished.count
        return [UInt8](unsafeUninitializedCapacity: before + Self.chunkSize) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            buffer.copyBytes(from: unfinished)
            count = before
            while count < buffer.count, !isAtEnd {
                do {
                    let read = try file.read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[count...]))
                    count += read
                    isAtEnd = read == 0
                    // Of what another program is still writing, what is there is passed on.
                    if !file.isRegularFile { break }
                } catch {
                    isAtEnd = true
                    failure = error
                }
            }
        }
    }

    /// Drops the rest of the unfinished line.
    private mutating func skip(_ bytes: inout [UInt8]) {
        let rest = bytes[unfinished.count...]
        let feed = rest.firstIndex(of: 0x0A)
        bytes.removeSubrange(unfinished.count..<(feed ?? bytes.count))
        isSkipping = feed == nil
    }
}

/// Reads a database as chunks of rows, in flat memory, beside whoever writes it.
struct RowChunker {
    private let reader: EventLogReader
    private let input: Int
    private let selection: EventSelection
    private let longest: Int
    /// The number of the last row that was seen.
    private(set) var lastSeq: Int64
    /// How many rows the last chunk had.
    private var rowCount = 0
    private var isAtEnd = false

    /// - Parameters:
    ///   - seq: The last one already seen; 0 from the start.
    ///   - selection: What its columns can tell is left out here already.
    ///   - longest: How much of a longer line is kept, in bytes.
    init(_ reader: EventLogReader, input: Int, after seq: Int64, selection: EventSelection, longest: Int) {
        self.reader = reader
        self.input = input
        self.selection = selection
        self.longest = longest
        lastSeq = seq
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `EventLogError`.
    mutating func next() throws -> LineChunk? {
        guard !isAtEnd else { return nil }
        var chunk = LineChunk(input: input, isDatabase: true)
        var rows: [LineChunk.Row] = []
        rows.reserveCapacity(rowCount)
        var isFull = false
        let needsStamps = !(selection.names.isEmpty && selection.since == nil && selection.until == nil)
        chunk.bytes = try [UInt8](unsafeUninitializedCapacity: TextChunker.chunkSize + longest + 1) { buffer, count in
            let buffer = UnsafeMutableRawBufferPointer(buffer)
            try reader.forEach(after: lastSeq, matching: selection.rows, withStamps: needsStamps) { event in
                lastSeq = event.seq
                // What still lies in a journal has not been filtered by columns.
                if needsStamps && !selection.takes(event) { return true }
                let length = min(event.line.count, longest)
                UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + length]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: event.line[..<length]))
                buffer[count + length] = 0x0A
                rows.append(LineChunk.Row(start: count, end: count + length, number: event.seq))
                count += length + 1
                isFull = count >= TextChunker.chunkSize
                return !isFull
            }
        }
        rowCount = rows.count
        isAtEnd = !isFull
        chunk.rows = rows
        return rows.isEmpty ? nil : chunk
    }
}
