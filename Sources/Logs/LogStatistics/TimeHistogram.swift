/// Counts events in up to ``maximumBuckets`` intervals of equal length, which doubles when necessary, so that memory
/// is constant for any span. Intervals start at multiples of their length since 1970.
package struct TimeHistogram: Sendable {
    /// The most intervals.
    package static let maximumBuckets = 512

    /// The length of an interval in seconds: a power of two.
    package private(set) var width: Int64 = 1
    /// The index of the first interval, which starts `first * width` seconds after 1970.
    package private(set) var first: Int64 = 0
    /// The counts, from the first interval with an event to the last.
    package private(set) var counts: [Int] = []

    /// Creates an empty histogram.
    package init() {}

    mutating func add(_ count: Int, second: Int64) {
        var bucket = Self.floorDivide(second, width)
        guard !counts.isEmpty else {
            first = bucket
            counts = [count]
            return
        }
        while max(bucket, first + Int64(counts.count) - 1) - min(bucket, first) >= Int64(Self.maximumBuckets) {
            widen()
            bucket = Self.floorDivide(second, width)
        }
        if bucket < first {
            counts.insert(contentsOf: repeatElement(0, count: Int(first - bucket)), at: 0)
            first = bucket
        }
        let index = Int(bucket - first)
        if index >= counts.count { counts.append(contentsOf: repeatElement(0, count: index - counts.count + 1)) }
        counts[index] += count
    }

    private mutating func widen() {
        let newFirst = Self.floorDivide(first, 2)
        var wider = Array(repeating: 0, count: Int(Self.floorDivide(first + Int64(counts.count) - 1, 2) - newFirst) + 1)
        for (index, count) in counts.enumerated() {
            wider[Int(Self.floorDivide(first + Int64(index), 2) - newFirst)] += count
        }
        width *= 2
        first = newFirst
        counts = wider
    }

    /// The counts distributed over columns of equal length between two times, in seconds.
    package func columns(_ number: Int, from start: Int64, through end: Int64) -> [Double] {
        var columns = Array(repeating: 0.0, count: number)
        let scale = Double(number) / Double(max(end - start + 1, 1))
        for (index, count) in counts.enumerated() where count > 0 {
            // Distribute an interval evenly over the columns that it overlaps.
            let from = max(0, Double((first + Int64(index)) * width - start) * scale)
            let to = min(Double(number), Double((first + Int64(index) + 1) * width - start) * scale)
            guard from < to else { continue }
            for column in Int(from)...Int(to.nextDown) {
                let overlap = min(to, Double(column + 1)) - max(from, Double(column))
                columns[column] += Double(count) * overlap / (to - from)
            }
        }
        return columns
    }

    static func floorDivide(_ value: Int64, _ divisor: Int64) -> Int64 {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? quotient - 1 : quotient
    }
}

/// Counts events exactly, in up to ``maximumBuckets`` intervals of a common clock length, which increases when
/// necessary, so that memory is constant for any span.
///
/// Intervals start at full minutes, hours or days in UTC, weeks on Mondays; beyond a week, lengths double.
package struct ClockHistogram: Sendable {
    /// The most intervals.
    package static let maximumBuckets = 120

    /// In seconds; each is a multiple of its predecessor.
    private static let widths: [Int64] = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800]
    /// The first Monday of 1970 in seconds, at which all intervals are aligned.
    package static let origin: Int64 = 4 * 86_400

    /// The length of an interval in seconds.
    package private(set) var width: Int64 = 1
    /// The index of the first interval, from the origin.
    private var first: Int64 = 0
    /// The counts, from the first interval with an event to the last.
    package private(set) var counts: [Int] = []

    /// Creates an empty histogram.
    package init() {}

    /// The start of the first interval, in seconds since 1970.
    package var start: Int64 { first * width + Self.origin }

    mutating func add(_ count: Int, second: Int64) {
        var bucket = TimeHistogram.floorDivide(second - Self.origin, width)
        guard !counts.isEmpty else {
            first = bucket
            counts = [count]
            return
        }
        while max(bucket, first + Int64(counts.count) - 1) - min(bucket, first) >= Int64(Self.maximumBuckets) {
            self = widened(to: Self.widths.first { $0 > width } ?? width * 2)
            bucket = TimeHistogram.floorDivide(second - Self.origin, width)
        }
        if bucket < first {
            counts.insert(contentsOf: repeatElement(0, count: Int(first - bucket)), at: 0)
            first = bucket
        }
        let index = Int(bucket - first)
        if index >= counts.count { counts.append(contentsOf: repeatElement(0, count: index - counts.count + 1)) }
        counts[index] += count
    }

    private func widened(to width: Int64) -> ClockHistogram {
        var wider = ClockHistogram()
        let ratio = width / self.width
        wider.width = width
        wider.first = TimeHistogram.floorDivide(first, ratio)
        let last = TimeHistogram.floorDivide(first + Int64(counts.count) - 1, ratio)
        wider.counts = Array(repeating: 0, count: Int(last - wider.first) + 1)
        for (index, count) in counts.enumerated() {
            wider.counts[Int(TimeHistogram.floorDivide(first + Int64(index), ratio) - wider.first)] += count
        }
        return wider
    }

    /// The counts in the intervals of another histogram that spans at least the same time.
    package func counts(along other: ClockHistogram) -> [Int] {
        var counts = Array(repeating: 0, count: other.counts.count)
        let own = widened(to: other.width)
        for (index, count) in own.counts.enumerated() { counts[Int(own.first - other.first) + index] = count }
        return counts
    }
}
