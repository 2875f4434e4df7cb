package import EventLog
internal import Primitives

/// The figures of a running replay. Several lanes update them.
package final class ReplayTally: Sendable {
    private let state = Locked(ReplayFigures())

    package init() {}

    /// A copy of the figures.
    package var figures: ReplayFigures { state.withLock { $0 } }

    var wasAnswered: Bool { state.withLock { $0.wasAnswered } }

    /// Records that the sink has responded.
    func answered() { state.withLock { $0.wasAnswered = true } }

    /// Records when the first event to send is due.
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

package struct ReplayFigures: Sendable {
    /// The outcome of the events that the sink accepted.
    package internal(set) var result = ReplayResult()
    /// Accepted batches, and their bytes.
    package internal(set) var batches = 0
    package internal(set) var bytes = 0
    /// Events that the sink rejected.
    package internal(set) var refused = 0
    package internal(set) var retries = 0
    /// Events done by an earlier run.
    package internal(set) var alreadyDone = 0
    /// The lateness of batches, counted by events.
    package internal(set) var lateness = LatencyHistogram()
    /// The time until a batch was accepted, counted by batches.
    package internal(set) var answerTimes = LatencyHistogram()
    /// When the last batch was started, by the run's clock.
    package internal(set) var lastBegin = Duration.zero
    /// When the last batch was accepted, by the run's clock.
    package internal(set) var lastAnswer = Duration.zero
    /// When the first event was due, by the run's clock.
    package internal(set) var start = Duration.zero
    var wasAnswered = false
}

/// Counts durations in buckets with a relative width of at most 1/32: 32 buckets for each power of two of
/// microseconds. Memory is fixed, about 10 KB.
package struct LatencyHistogram: Sendable {
    private static let stepBits = 5
    private static let steps = 1 << stepBits
    /// Durations from 2^40 µs (twelve days) share the last bucket.
    private static let largest = UInt64(1) << 40 - 1

    private var counts = [Int](repeating: 0, count: (40 - stepBits + 1) * steps)
    /// The number of durations.
    package private(set) var count = 0
    /// The longest duration; zero without durations.
    package private(set) var maximum = Duration.zero

    package init() {}

    /// Counts a duration several times; a negative one as zero.
    package mutating func add(_ duration: Duration, times: Int = 1) {
        counts[Self.bucket(of: min(UInt64(max(0, duration.nanoseconds)) / 1000, Self.largest))] += times
        count += times
        maximum = max(maximum, duration)
    }

    /// The duration that this share does not exceed, up to 1/32 too long; zero without durations.
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
