package import EventLog
internal import Primitives

/// What a replay has done so far; several lanes add to it.
package final class ReplayTally: Sendable {
    private let state = Locked(ReplayFigures())

    package init() {}

    /// A copy of all figures.
    package var figures: ReplayFigures { state.withLock { $0 } }

    var wasAnswered: Bool { state.withLock { $0.wasAnswered } }

    /// The sink said something, whatever it was.
    func answered() { state.withLock { $0.wasAnswered = true } }

    /// The first event that is left to send is due now.
    func started(at time: Duration) { state.withLock { $0.start = time } }

    func began(_ batch: ReplayBatch, at time: Duration) {
        state.withLock { state in
            state.lateness.add(time - batch.deadline, times: batch.count)
            state.lastBegin = max(state.lastBegin, time)
        }
    }

    func delivered(_ batch: ReplayBatch, _ result: ReplayResult, at time: Duration, took: Duration) {
        state.withLock { state in
            state.wasAnswered = true
            state.batches += 1
            state.bytes += batch.body.count
            state.result += result
            state.answerTimes.add(took)
            state.lastAnswer = max(state.lastAnswer, time)
        }
    }

    func refused(_ batch: ReplayBatch) { state.withLock { $0.refused += batch.count } }

    func retried() { state.withLock { $0.retries += 1 } }

    func skipped(_ count: Int) { state.withLock { $0.alreadyDone += count } }
}

/// The figures of a replay.
package struct ReplayFigures: Sendable {
    /// What became of the events that the sink took.
    package internal(set) var result = ReplayResult()
    /// Batches that it took, and their bytes.
    package internal(set) var batches = 0
    package internal(set) var bytes = 0
    /// Events that it refused.
    package internal(set) var refused = 0
    /// How often a batch was sent again.
    package internal(set) var retries = 0
    /// Events that an earlier run had done.
    package internal(set) var alreadyDone = 0
    /// How late batches were begun, counted by events.
    package internal(set) var lateness = LatencyHistogram()
    /// How long it took until a batch was taken, counted by batches.
    package internal(set) var answerTimes = LatencyHistogram()
    /// When the last batch was begun, by the clock of the run, as the next two.
    package internal(set) var lastBegin = Duration.zero
    /// When the last batch was taken.
    package internal(set) var lastAnswer = Duration.zero
    /// When the first event was due.
    package internal(set) var start = Duration.zero
    var wasAnswered = false
}

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
