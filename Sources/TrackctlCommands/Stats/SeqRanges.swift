/// A set of sequence numbers, kept as ranges: small as long as numbers come without many holes.
struct SeqRanges {
    /// In order, none touching the next.
    private(set) var ranges: [ClosedRange<Int64>] = []

    /// Adds a number.
    ///
    /// - Returns: false if it was there.
    /// - Complexity: O(1) for a number past the last; else O(number of ranges).
    mutating func insert(_ seq: Int64) -> Bool {
        guard let last = ranges.last, seq <= last.upperBound else {
            extend(with: seq)
            return true
        }
        let index = indexOfRange(endingAtOrAfter: seq)
        guard !ranges[index].contains(seq) else { return false }
        let touchesNext = ranges[index].lowerBound == seq + 1
        let touchesPrevious = index > 0 && ranges[index - 1].upperBound == seq - 1
        switch (touchesPrevious, touchesNext) {
        case (true, true):
            ranges[index - 1] = ranges[index - 1].lowerBound...ranges[index].upperBound
            ranges.remove(at: index)
        case (true, false): ranges[index - 1] = ranges[index - 1].lowerBound...seq
        case (false, true): ranges[index] = seq...ranges[index].upperBound
        case (false, false): ranges.insert(seq...seq, at: index)
        }
        return true
    }

    /// What is missing between the lowest and the highest number.
    var gaps: [ClosedRange<Int64>] {
        zip(ranges, ranges.dropFirst()).map { $0.upperBound + 1...$1.lowerBound - 1 }
    }

    private mutating func extend(with seq: Int64) {
        guard let last = ranges.last, last.upperBound == seq - 1 else { return ranges.append(seq...seq) }
        ranges[ranges.count - 1] = last.lowerBound...seq
    }

    private func indexOfRange(endingAtOrAfter seq: Int64) -> Int {
        var (low, high) = (0, ranges.count)
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].upperBound < seq { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
