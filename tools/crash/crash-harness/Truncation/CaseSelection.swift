internal import Primitives

/// The cases that a run tries: all, or a random case of each of N parts of equal size.
struct CaseSelection {
    /// The number of cases that this selects.
    let partCount: Int
    private let count: Int
    private let partSize: Int
    private let seed: UInt64

    /// - Parameters:
    ///   - count: The number of all cases.
    ///   - maximum: The maximum number of selected cases; nil for all.
    ///   - seed: The random seed.
    init(count: Int, maximum: Int?, seed: UInt64) {
        self.count = count
        self.seed = seed
        partSize = maximum.map { max((count + $0 - 1) / $0, 1) } ?? 1
        partCount = (count + partSize - 1) / partSize
    }

    /// The case of a part. The first part has case 0, which often is special: an empty file, for example.
    func number(_ part: Int) -> Int {
        let first = part * partSize
        guard part > 0 else { return first }
        var random = SplitMix64(seed: SplitMix64.mixed(seed) &+ UInt64(first))
        return Int.random(in: first..<min(first + partSize, count), using: &random)
    }
}
