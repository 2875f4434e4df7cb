internal import Primitives

/// Liveness results about other writers. A wrong result may cause a delay, but never a lost or duplicate event. The
/// crash harness inverts results at random to test this.
package enum Verdicts {
    private static let random = Locked<SplitMix64?>(nil)
    private static let isWrongAtTimes = Atomic(false)

    /// Inverts a quarter of this process's results at random from now on.
    package static func invertAtRandom(seed: UInt64) {
        random.withLock { $0 = SplitMix64(seed: seed) }
        isWrongAtTimes.store(true, ordering: .relaxed)
    }

    /// The result to use for a liveness check.
    static func given(_ verdict: Bool) -> Bool {
        guard isWrongAtTimes.load(ordering: .relaxed) else { return verdict }
        return random.withLock { random in (random?.next() ?? 1) & 3 == 0 ? !verdict : verdict }
    }
}
