internal import Foundation

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
    /// The lines. Of text, each with its line feed but for the last one of an input.
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
