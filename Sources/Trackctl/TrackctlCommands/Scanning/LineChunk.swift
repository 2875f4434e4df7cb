internal import EventLog
internal import EventModel
internal import EventQuery
internal import Foundation
internal import LogFiles
internal import TrackingPlan

/// What an event log knows about an event in addition to its line.
struct LineStanding: Hashable, Sendable {
    var purpose = Purpose.analytics
    /// Why the event is held; nil if it is not, or if the command does not ask.
    var hold: HoldReason?

    /// Of a line that is not in an event log.
    static let none = LineStanding()

    /// What the event counts as; nil if it is not held.
    var held: HeldEvents? { hold.map { HeldEvents($0, for: purpose) } }
}

/// How a command treats the events of event logs that may not be delivered because of their users' consent.
enum HeldEventsRule: Equatable {
    /// Like all others.
    case included
    /// Like all others, but each undelivered one is marked with the reason.
    case marked
    /// Only undelivered ones are selected.
    case only
    /// They are not selected, whether they were delivered before or not.
    case leftOut
}

/// Consecutive lines of one input: the unit of work of a thread.
struct LineChunk: Sendable {
    /// The range of a line: of a database row, or of a selected line.
    struct Row {
        let start: Int
        let end: Int
        /// The line's number in the input, from 1; in a database, the event's number.
        let number: Int64
        var standing = LineStanding.none
    }

    /// The index of the input.
    let input: Int
    /// The number of lines of the input before this chunk, if known.
    var linesBefore: Int64?
    /// Whether the lines are the rows of a database.
    var isDatabase = false
    /// The lines, each with its line feed, except possibly the last.
    var bytes: [UInt8] = []
    /// The selected lines; nil for all lines of text.
    var rows: [Row]?

    /// A line in the chunk's memory.
    struct Line {
        /// The bytes without the line feed.
        let bytes: UnsafeRawBufferPointer
        /// The row's number, or the number within the chunk from 1.
        let number: Int64
        /// Whether the line lacks its line feed.
        let isTorn: Bool
        var standing = LineStanding.none
    }

    /// Whether the bytes are exactly the selected lines with their line feeds, so that they can be written in one
    /// piece.
    var isWhole: Bool {
        guard let rows else { return bytes.last == 0x0A }
        var next = 0
        for row in rows {
            guard row.start == next else { return false }
            next = row.end + 1
        }
        return next == bytes.count
    }

    /// Calls `body` with each line, in order, until it returns false.
    func forEachLine(_ body: (Line) throws -> Bool) rethrows {
        try bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            if let rows {
                try Self.show(rows, of: bytes, body)
            } else {
                try Self.split(start, count: bytes.count, body)
            }
        }
    }

    @inline(__always)
    private static func split(_ start: UnsafeRawPointer, count: Int, _ body: (Line) throws -> Bool) rethrows {
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
        _ rows: [Row], of bytes: UnsafeRawBufferPointer, _ body: (Line) throws -> Bool
    ) rethrows {
        for row in rows {
            let line = UnsafeRawBufferPointer(rebasing: bytes[row.start..<row.end])
            guard try body(Line(bytes: line, number: row.number, isTorn: false, standing: row.standing)) else { return }
        }
    }
}

/// Reads a file of lines as chunks of whole lines, in constant memory. Data from pipes is passed on as it arrives.
struct TextChunker {
    /// The bytes read at a time. An incomplete last line starts the next chunk.
    static let chunkSize = 256 << 10
    /// The default for the maximum number of bytes to keep of a line: enough to detect that the line is too long.
    static let longestChecked = 2 * LineChecker.maximumLength

    private let longest: Int
    private let file: LogFileBlocks
    private let input: Int
    /// The incomplete line at the end of the last chunk.
    private var unfinished: [UInt8] = []
    /// Whether the rest of an overlong line is being skipped.
    private var isSkipping = false
    private var isAtEnd = false
    private var failure: (any Error)?

    /// - Parameter longest: The maximum number of bytes to keep of a line.
    init(_ file: LogFileBlocks, input: Int, longest: Int = Self.longestChecked) {
        self.longest = longest
        self.file = file
        self.input = input
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `LogFileError`, after all complete lines before the error.
    mutating func next() throws -> LineChunk? {
        while !isAtEnd {
            let before = unfinished.count
            var bytes = read()
            if isSkipping { skip(&bytes) }
            // The incomplete line has no line feed.
            let end = bytes[before...].lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
            if isAtEnd {
                // Discard an incomplete line before an error.
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

    /// Reads the next bytes after the incomplete line.
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
                    // Pass on data of a pipe immediately.
                    if !file.isRegularFile { break }
                } catch {
                    isAtEnd = true
                    failure = error
                }
            }
        }
    }

    /// Skips the rest of an overlong line.
    private mutating func skip(_ bytes: inout [UInt8]) {
        let rest = bytes[unfinished.count...]
        let feed = rest.firstIndex(of: 0x0A)
        bytes.removeSubrange(unfinished.count..<(feed ?? bytes.count))
        isSkipping = feed == nil
    }
}

/// Reads a database as chunks of rows in constant memory. Other processes may write to the database meanwhile.
struct RowChunker {
    private let reader: EventLogReader
    private let input: Int
    private let selection: EventSelection
    private let longest: Int
    private let rule: HeldEventsRule
    private let consent: StoredConsent?
    /// The number of the last row read.
    private(set) var lastSeq: Int64
    /// The number of rows in the last chunk.
    private var rowCount = 0
    private var isAtEnd = false

    /// - Parameters:
    /// - seq: The last number already read; 0 to read from the start.
    /// - selection: Rows that the database's columns exclude are skipped.
    /// - longest: The maximum number of bytes to keep of a line.
    /// - rule: How to treat held events.
    /// - consent: What decides which events are held; nil if no event is.
    init(
        _ reader: EventLogReader, input: Int, after seq: Int64, selection: EventSelection, longest: Int,
        rule: HeldEventsRule = .included, consent: StoredConsent? = nil
    ) {
        self.rule = rule
        self.consent = consent
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
                // Events in a journal have not been filtered by columns.
                if needsStamps && !selection.accepts(event) { return true }
                let standing = LineStanding(purpose: event.purpose, hold: hold(event))
                if rule == .only && standing.hold == nil { return true }
                let length = min(event.line.count, longest)
                UnsafeMutableRawBufferPointer(rebasing: buffer[count..<count + length]).copyMemory(
                    from: UnsafeRawBufferPointer(rebasing: event.line[..<length]))
                buffer[count + length] = 0x0A
                rows.append(LineChunk.Row(start: count, end: count + length, number: event.seq, standing: standing))
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

    private func hold(_ event: BorrowedEvent) -> HoldReason? {
        rule == .leftOut
            ? consent?.holdReason(of: event.line, for: event.purpose) : consent?.held(event)?.reason
    }
}
