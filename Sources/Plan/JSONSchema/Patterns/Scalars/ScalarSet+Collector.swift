extension ScalarSet {
    /// Makes a set of ranges that come one after the other, in any order: it keeps few more than the set has in the end.
    struct Collector {
        private var parts: [ClosedRange<UInt32>] = []
        /// How many parts are enough to put them together.
        private var enough = 4096

        mutating func add(_ ranges: [ClosedRange<UInt32>]) {
            parts += ranges
            guard parts.count > enough else { return }
            parts = set.ranges
            enough = max(4096, 2 * parts.count)
        }

        /// The set of all that was added.
        var set: ScalarSet { ScalarSet(parts) }
    }
}
