package import Primitives

/// A set of sequence numbers, stored as ranges: small if there are few gaps. Above a limit, the older half of the
/// ranges is merged, and the missing numbers in it are only counted.
package struct SeqRanges: Sendable {
    /// Ascending and not adjacent.
    package private(set) var ranges: [ClosedRange<Int64>] = []
    /// Missing numbers in merged ranges. If such a number comes later, it counts as a duplicate.
    package private(set) var forgotten: SaturatingCount = 0
    private let maximumCount: Int

    /// - Parameter maximumCount: The most ranges.
    init(maximumCount: Int = .max) { self.maximumCount = max(2, maximumCount) }

    /// Adds numbers.
    ///
    /// - Returns: The numbers that were present already.
    /// - Complexity: O(1) for numbers past the last; else O(number of ranges).
    @inline(__always)
    mutating func insert(_ run: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        guard let last = ranges.last, run.lowerBound <= last.upperBound else {
            extend(with: run)
            return []
        }
        return insertAmong(run)
    }

    private mutating func extend(with run: ClosedRange<Int64>) {
        if let last = ranges.last, last.upperBound == run.lowerBound - 1 {
            ranges[ranges.count - 1] = last.lowerBound...run.upperBound
        } else {
            ranges.append(run)
            if ranges.count > maximumCount { forget() }
        }
    }

    private mutating func insertAmong(_ run: ClosedRange<Int64>) -> [ClosedRange<Int64>] {
        // From the first range that touches the run or follows it, to the last that touches it.
        let start = firstIndex(endingAtOrAfter: run.lowerBound - 1)
        var end = start
        var merged = run
        var overlaps: [ClosedRange<Int64>] = []
        while end < ranges.count, ranges[end].lowerBound <= run.upperBound + 1 {
            let range = ranges[end]
            if range.overlaps(run) { overlaps.append(range.clamped(to: run)) }
            merged = min(merged.lowerBound, range.lowerBound)...max(merged.upperBound, range.upperBound)
            end += 1
        }
        ranges.replaceSubrange(start..<end, with: CollectionOfOne(merged))
        if ranges.count > maximumCount { forget() }
        return overlaps
    }

    /// Merges the older half to one range.
    mutating func forget() {
        let half = ranges.count / 2
        guard half > 1 else { return }
        forgotten += ranges[..<half].gaps.lazy.map { SaturatingCount(of: $0) }.sum
        ranges.replaceSubrange(..<half, with: CollectionOfOne(ranges[0].lowerBound...ranges[half - 1].upperBound))
    }

    private func firstIndex(endingAtOrAfter seq: Int64) -> Int {
        var low = 0
        var high = ranges.count
        while low < high {
            let middle = low + (high - low) / 2
            if ranges[middle].upperBound < seq { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// The gaps between the lowest and the highest number, except those in merged ranges.
    package var gaps: some RandomAccessCollection<ClosedRange<Int64>> { ranges[...].gaps }
}

extension ArraySlice<ClosedRange<Int64>> {
    // Lazy, since there may be as many gaps as ranges.
    fileprivate var gaps: some RandomAccessCollection<ClosedRange<Int64>> {
        indices.dropFirst().lazy.map { self[$0 - 1].upperBound + 1...self[$0].lowerBound - 1 }
    }
}
