/// The numbers of one install that were seen, as ranges: memory grows with the gaps, not with the events.
struct SequenceRanges {
    private(set) var ranges: [ClosedRange<Int64>] = []
    private(set) var doubles: Int64 = 0

    /// Numbers between the lowest and the highest that were not seen.
    var gaps: [ClosedRange<Int64>] {
        zip(ranges, ranges.dropFirst()).map { $0.upperBound + 1...$1.lowerBound - 1 }
    }

    /// Adds a number. O(1) for the next one in order, O(ranges) for any other.
    mutating func add(_ seq: Int64) {
        if let last = ranges.last, seq == last.upperBound + 1 {
            ranges[ranges.count - 1] = last.lowerBound...seq
            return
        }
        // The first range that ends at or after the number before this one.
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = (low + high) / 2
            if ranges[middle].upperBound < seq - 1 { low = middle + 1 } else { high = middle }
        }
        guard low < ranges.count, ranges[low].lowerBound <= seq + 1 else {
            ranges.insert(seq...seq, at: low)
            return
        }
        guard !ranges[low].contains(seq) else {
            doubles += 1
            return
        }
        var joined = min(ranges[low].lowerBound, seq)...max(ranges[low].upperBound, seq)
        if low + 1 < ranges.count, ranges[low + 1].lowerBound == joined.upperBound + 1 {
            joined = joined.lowerBound...ranges.remove(at: low + 1).upperBound
        }
        ranges[low] = joined
    }
}
