internal import Foundation

/// Lines of one input that stand one after the other: what one thread checks at a time.
struct LineChunk: Sendable {
    /// A row of a database within the bytes.
    struct Row {
        /// Where it ends; it starts where the one before ends.
        let end: Int
        /// The event's number.
        let seq: Int64
    }

    /// The input's place among all.
    let input: Int
    /// The lines, each with its line feed but for the last one of an input; rows of a database without.
    var bytes: [UInt8] = []
    /// The rows of a database; none for text.
    var rows: [Row] = []

    /// A line where its bytes lie.
    struct Line {
        /// Its bytes without the line feed.
        let bytes: UnsafeRawBufferPointer
        /// For text, the number within the chunk from 1; for a row, the event's number.
        let number: Int64
        /// Whether it has no line feed though it should.
        let isTorn: Bool
    }

    /// Shows each line, in order, until `body` answers false.
    func forEachLine(_ body: (Line) -> Bool) {
        bytes.withUnsafeBytes { bytes in
            guard let start = bytes.baseAddress else { return }
            if rows.isEmpty { Self.split(start, bytes.count, body) } else { showRows(bytes, body) }
        }
    }

    @inline(__always)
    private static func split(_ start: UnsafeRawPointer, _ count: Int, _ body: (Line) -> Bool) {
        var at = 0
        var number: Int64 = 0
        while at < count {
            let feed = memchr(start + at, 0x0A, count - at)
            let end = feed.map { UnsafeRawPointer($0) - start } ?? count
            number += 1
            let line = UnsafeRawBufferPointer(start: start + at, count: end - at)
            guard body(Line(bytes: line, number: number, isTorn: feed == nil)) else { return }
            at = end + 1
        }
    }

    private func showRows(_ bytes: UnsafeRawBufferPointer, _ body: (Line) -> Bool) {
        var start = 0
        for row in rows {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start..<row.end])
            guard body(Line(bytes: line, number: row.seq, isTorn: false)) else { return }
            start = row.end
        }
    }
}
