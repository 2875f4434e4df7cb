/// Values by the hashes of their keys, for at most so many keys. When there are more, keys are left out by their hashes:
/// half of them, then half of the rest, and so on. What is known of a key that stays is whole, whenever it came, so that
/// each stands for ``scale`` keys.
struct HashSample<Value: Sendable>: Sendable {
    private static var maximumHalvings: Int { 62 }

    private let limit: Int
    private var kept: [UInt64: Value] = [:]
    private var halvings = 0

    /// - Parameter limit: How many keys are kept at most; at least 4.
    init(limit: Int) { self.limit = max(4, limit) }

    /// How many keys each one that was kept stands for: a power of two.
    var scale: Int { 1 << halvings }

    /// What is known of the keys that were kept, in no order.
    var values: some Collection<Value> { kept.values }

    /// Changes what is known of a key, unless it is left out.
    ///
    /// - Parameter first: What is known of a key that is new; nil to leave it unknown.
    @inline(__always)
    mutating func update(_ hash: UInt64, first: @autoclosure () -> Value?, _ change: (inout Value) -> Void) {
        guard hash >> UInt64(64 - halvings) == 0 else { return }
        if let index = kept.index(forKey: hash) {
            change(&kept.values[index])
        } else if var value = first() {
            change(&value)
            kept[hash] = value
            if kept.count > limit { thin() }
        }
    }

    private mutating func thin() {
        while kept.count > limit, halvings < Self.maximumHalvings {
            halvings += 1
            let shift = UInt64(64 - halvings)
            kept = kept.filter { $0.key >> shift == 0 }
        }
    }
}
