/// How long to wait before a batch is sent again: exponential, with full jitter.
///
/// The jitter is drawn from the batch's id, so that the same run waits the same times.
package struct Backoff: Sendable {
    /// The longest first wait.
    private static let first = 0.1
    /// The longest wait of all, in seconds.
    private static let longest = 10.0

    private var state: UInt64

    package init(batchID: String) { state = UInt64(batchID.prefix(16), radix: 16) ?? 0 }

    /// The wait before another attempt.
    ///
    /// - Parameter attempt: How many were made, from 1.
    package mutating func wait(after attempt: Int) -> Duration {
        let ceiling = min(Self.longest, Self.first * Double(UInt64(1) << UInt64(min(max(attempt - 1, 0), 32))))
        // SplitMix64.
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        mixed ^= mixed >> 31
        return .seconds(ceiling * Double(mixed >> 11) / Double(UInt64(1) << 53))
    }
}
