/// How many events there were in each stretch of time, in at most ``maximumBuckets`` stretches of equal length, which
/// doubles whenever they would not reach: flat memory for any span. Stretches begin at multiples of their length since 1970.
package struct TimeHistogram: Sendable {
    /// How many stretches there are at most.
    package static let maximumBuckets = 512

    /// The length of a stretch in seconds: a power of two.
    package private(set) var width: Int64 = 1
    /// The number of the first stretch: it begins `first * width` seconds after 1970.
    package private(set) var first: Int64 = 0
    /// The counts, of the first stretch with an event to the last.
    package private(set) var counts: [Int] = []

    /// Makes an empty histogram.
    package init() {}

    /// Adds events of one second.
    mutating func add(_ count: Int, second: Int64) {
        var bucket = Self.floorDivide(second, width)
        guard !counts.isEmpty else {
            (first, counts) = (bucket, [count])
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
        (width, first, counts) = (width * 2, newFirst, wider)
    }

    /// The counts spread over so many columns of equal length between two times, in seconds.
    package func columns(_ number: Int, from start: Int64, through end: Int64) -> [Double] {
        var columns = Array(repeating: 0.0, count: number)
        let scale = Double(number) / Double(max(end - start + 1, 1))
        for (index, count) in counts.enumerated() where count > 0 {
            // A stretch that is longer than a column is spread evenly over those that it reaches into.
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

/// How many events there were in each stretch of time, exactly, in at most ``maximumBuckets`` stretches of a length that
/// people know: whenever they would not reach, the next longer one. Flat memory for any span.
///
/// Stretches begin at full minutes, hours or days of UTC, those of weeks on Mondays; past a week lengths double.
package struct ClockHistogram: Sendable {
    /// How many stretches there are at most.
    package static let maximumBuckets = 120

    /// In seconds; each is a multiple of the one before.
    private static let widths: [Int64] = [1, 5, 15, 60, 300, 900, 3600, 10_800, 21_600, 43_200, 86_400, 604_800]
    /// The first Monday of 1970, in seconds: where all lengths begin.
    package static let origin: Int64 = 4 * 86_400

    /// The length of a stretch in seconds.
    package private(set) var width: Int64 = 1
    /// The number of the first stretch, from the origin.
    private var first: Int64 = 0
    /// The counts, of the first stretch with an event to the last.
    package private(set) var counts: [Int] = []

    /// Makes an empty histogram.
    package init() {}

    /// When the first stretch begins, in seconds since 1970.
    package var start: Int64 { first * width + Self.origin }

    /// Adds events of one second.
    mutating func add(_ count: Int, second: Int64) {
        var bucket = TimeHistogram.floorDivide(second - Self.origin, width)
        guard !counts.isEmpty else {
            (first, counts) = (bucket, [count])
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

    /// The counts in the stretches of another histogram that spans at least the same time.
    package func counts(along other: ClockHistogram) -> [Int] {
        var counts = Array(repeating: 0, count: other.counts.count)
        let own = widened(to: other.width)
        for (index, count) in own.counts.enumerated() { counts[Int(own.first - other.first) + index] = count }
        return counts
    }
}
