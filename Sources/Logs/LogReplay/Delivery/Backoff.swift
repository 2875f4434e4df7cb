internal import Primitives

/// How long to wait before a batch is sent again: exponential, with full jitter.
///
/// The jitter is drawn from the batch's id, so that the same run waits the same times.
package struct Backoff: Sendable {
    /// The longest first wait.
    private static let first = 0.1
    /// The longest wait of all, in seconds.
    private static let longest = 10.0

    private var chance: SplitMix64

    package init(batchID: String) {
        chance = SplitMix64(seed: UInt64(batchID.prefix(16), radix: 16) ?? 0)
    }

    /// The wait before another attempt.
    ///
    /// - Parameter attempt: How many were made, from 1.
    package mutating func wait(after attempt: Int) -> Duration {
        let ceiling = min(Self.longest, Self.first * Double(UInt64(1) << UInt64(min(max(attempt - 1, 0), 32))))
        return .seconds(ceiling * Double(chance.next() >> 11) / Double(UInt64(1) << 53))
    }
}
