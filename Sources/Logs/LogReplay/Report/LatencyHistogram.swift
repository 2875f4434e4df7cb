/// Counts durations in buckets that are at most a 32nd wide of what they hold: 32 to each power of two of microseconds.
/// The memory is fixed, about 10 KB.
package struct LatencyHistogram: Sendable {
    private static let stepBits = 5
    private static let steps = 1 << stepBits
    /// Durations from 2^40 µs on, twelve days, share the last bucket.
    private static let largest = UInt64(1) << 40 - 1

    private var counts = [Int](repeating: 0, count: (40 - stepBits + 1) * steps)
    /// How many durations there are.
    package private(set) var count = 0
    /// The longest; zero if there is none.
    package private(set) var maximum = Duration.zero

    package init() {}

    /// Counts a duration so many times; a negative one as zero.
    package mutating func add(_ duration: Duration, times: Int = 1) {
        counts[Self.bucket(of: min(UInt64(max(0, duration.nanoseconds)) / 1000, Self.largest))] += times
        count += times
        maximum = max(maximum, duration)
    }

    /// The duration that this share of all does not exceed, up to a 32nd too long; zero if there is none.
    ///
    /// - Parameter share: Between 0 and 1: 0.99 for p99.
    package func quantile(_ share: Double) -> Duration {
        let rank = max(1, Int((share * Double(count)).rounded(.up)))
        var seen = 0
        for (bucket, times) in counts.enumerated() where times > 0 {
            seen += times
            if seen >= rank { return min(.microseconds(Self.highest(in: bucket)), maximum) }
        }
        return maximum
    }

    private static func bucket(of value: UInt64) -> Int {
        guard value >= UInt64(steps) else { return Int(value) }
        let shift = 63 - value.leadingZeroBitCount - stepBits
        return (shift + 1) * steps + Int(value >> UInt64(shift)) - steps
    }

    private static func highest(in bucket: Int) -> UInt64 {
        guard bucket >= steps else { return UInt64(bucket) }
        let shift = UInt64(bucket / steps - 1)
        return (UInt64(bucket % steps + steps) + 1) << shift - 1
    }
}
