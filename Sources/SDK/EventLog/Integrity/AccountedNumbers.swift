internal import EventModel
package import GRDB

/// A set of numbers that are accounted for, stored as ranges of a few bytes each: after erasures there may be millions.
package struct AccountedNumbers: Sendable {
    /// For each range, two varints (7 bits per byte): the distance from the end of the previous range, and the length.
    private var bytes: [UInt8] = []
    /// One entry for every ``rangesPerMark`` ranges: the offset of the next range, and the end of the previous one.
    private var marks: [(offset: Int, end: Int64)] = []
    private var count = 0
    /// The last range, which the next range may extend.
    private var open: ClosedRange<Int64>?
    /// The end of the last range in `bytes`.
    private var end: Int64 = 0
    private static let rangesPerMark = 256

    /// Loads the numbers that the ledger lists as lost, for all consumers or for those that match `counts`.
    ///
    /// - Parameter held: Ranges that count, too, in ascending order.
    package init(
        _ db: Database, counting counts: (_ consumer: String) -> Bool = { _ in false },
        and held: [ClosedRange<Int64>] = []
    ) throws {
        var held = held[...]
        let rows = try Row.fetchCursor(
            db,
            sql: """
                SELECT consumer, first_seq, last_seq FROM ledger
                WHERE first_seq > 0 AND last_seq BETWEEN first_seq AND ? ORDER BY first_seq
                """, arguments: [EventRecord.highestSeq])
        while let row = try rows.next() {
            let consumer: String = try row.decode(atIndex: 0)
            guard consumer.isEmpty || counts(consumer) else { continue }
            let lost: ClosedRange<Int64> = try row.decode(atIndex: 1)...row.decode(atIndex: 2)
            while let first = held.first, first.lowerBound <= lost.lowerBound { add(held.removeFirst()) }
            add(lost)
        }
        for range in held { add(range) }
        close()
    }

    /// Adds a range that starts at or after the start of the previous range.
    private mutating func add(_ range: ClosedRange<Int64>) {
        if let last = open, range.lowerBound <= last.upperBound + 1 {
            open = last.lowerBound...max(last.upperBound, range.upperBound)
        } else {
            close()
            open = range
        }
    }

    private mutating func close() {
        guard let range = open else { return }
        if count.isMultiple(of: Self.rangesPerMark) { marks.append((bytes.count, end)) }
        count += 1
        append(range.lowerBound - end)
        append(range.upperBound - range.lowerBound)
        end = range.upperBound
        open = nil
    }

    private mutating func append(_ value: Int64) {
        var rest = UInt64(value)
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Counts the accounted-for numbers in a range.
    ///
    /// - Complexity: O(ranges).
    package func count(in seqs: ClosedRange<Int64>) -> Int64 {
        var offset = 0
        var end: Int64 = 0
        var sum: Int64 = 0
        while offset < bytes.count {
            let first = end + value(at: &offset)
            end = first + value(at: &offset)
            let low = max(first, seqs.lowerBound)
            let high = min(end, seqs.upperBound)
            if low <= high { sum += high - low + 1 }
        }
        return sum
    }

    /// The first number at or after `seq` that is not accounted for; nil past the highest possible number.
    func firstMissing(from seq: Int64) -> Int64? {
        guard seq <= EventRecord.highestSeq else { return nil }
        var (offset, end) = mark(before: seq)
        while offset < bytes.count {
            let first = end + value(at: &offset)
            end = first + value(at: &offset)
            if first > seq { return seq }
            if end >= seq { return end + 1 }
        }
        return seq
    }

    /// The numbers of a range that are not accounted for.
    ///
    /// - Complexity: O(log r + k) for r ranges, k of which overlap the numbers.
    package func missing(of seqs: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        var missing: [ClosedRange<Int64>] = []
        var next = seqs.lowerBound
        var (offset, end) = mark(before: seqs.lowerBound)
        while offset < bytes.count, next <= seqs.upperBound {
            let first = end + value(at: &offset)
            end = first + value(at: &offset)
            if end < next { continue }
            if first > seqs.upperBound { break }
            if first > next { missing.append(next...first - 1) }
            next = end + 1
        }
        if next <= seqs.upperBound { missing.append(next...seqs.upperBound) }
        return missing
    }

    private func value(at offset: inout Int) -> Int64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { break }
            shift += 7
        }
        return Int64(value)
    }

    /// The last mark before which all ranges end below a number.
    private func mark(before seq: Int64) -> (offset: Int, end: Int64) {
        var low = 0
        var high = marks.count
        while low < high {
            let middle = low + (high - low) / 2
            if marks[middle].end < seq { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? marks[low - 1] : (0, 0)
    }
}
