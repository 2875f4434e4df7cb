internal import Primitives

/// What is taken for true about other writers. A wrong verdict may delay something; it never loses or doubles an event.
/// The crash harness has verdicts turned over at random to show it.
package enum Verdicts {
    private static let random = Locked<SplitMix64?>(nil)
    private static let isWrongAtTimes = Atomic(false)

    /// From now on, turns every fourth verdict of this process over, by chance.
    package static func turnOverAtRandom(seed: UInt64) {
        random.withLock { $0 = SplitMix64(seed: seed) }
        isWrongAtTimes.store(true, ordering: .relaxed)
    }

    /// A verdict, as it is to be used.
    static func given(_ verdict: Bool) -> Bool {
        guard isWrongAtTimes.load(ordering: .relaxed) else { return verdict }
        return random.withLock { random in (random?.next() ?? 1) & 3 == 0 ? !verdict : verdict }
    }
}
