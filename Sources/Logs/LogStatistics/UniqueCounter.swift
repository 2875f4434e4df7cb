internal import Foundation

/// Counts distinct values by their hashes: exactly up to a limit, approximately beyond it (HyperLogLog with 2^14
/// registers, standard error 0.81 %), so that memory is constant.
///
/// P. Flajolet et al., HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm, 2007.
package struct UniqueCounter: Sendable {
    private static let indexBits = 14

    private let exactLimit: Int
    /// Open addressing: 0 is a free slot, and a hash of 0 counts as 1.
    private var hashes: [UInt64]
    private var exactCount = 0
    private var registers: [UInt8] = []

    /// Creates a counter.
    ///
    /// - Parameter exactLimit: The most distinct values that are counted exactly. Each takes up to 32 bytes.
    package init(exactLimit: Int) {
        self.exactLimit = exactLimit
        hashes = Array(repeating: 0, count: 16)
    }

    /// Whether the count is an estimate.
    package var isApproximate: Bool { !registers.isEmpty }

    /// The number of distinct values.
    package var count: Int { isApproximate ? estimate : exactCount }

    /// Counts a value by its hash, whose bits must all be random.
    @inline(__always)
    mutating func insert(_ hash: UInt64) {
        if registers.isEmpty { insertExactly(max(hash, 1)) } else { note(hash) }
    }

    @inline(__always)
    private mutating func insertExactly(_ hash: UInt64) {
        var position = Int(truncatingIfNeeded: hash) & (hashes.count - 1)
        while hashes[position] != 0 {
            if hashes[position] == hash { return }
            position = (position + 1) & (hashes.count - 1)
        }
        hashes[position] = hash
        exactCount += 1
        if exactCount > exactLimit { estimateFromNowOn() } else if exactCount * 2 > hashes.count { grow() }
    }

    private mutating func grow() {
        let old = hashes
        hashes = Array(repeating: 0, count: old.count * 2)
        for hash in old where hash != 0 {
            var position = Int(truncatingIfNeeded: hash) & (hashes.count - 1)
            while hashes[position] != 0 { position = (position + 1) & (hashes.count - 1) }
            hashes[position] = hash
        }
    }

    private mutating func estimateFromNowOn() {
        registers = Array(repeating: 0, count: 1 << Self.indexBits)
        for hash in hashes where hash != 0 { note(hash) }
        hashes = []
    }

    private mutating func note(_ hash: UInt64) {
        let index = Int(truncatingIfNeeded: hash >> UInt64(64 - Self.indexBits))
        let rank = UInt8((hash << UInt64(Self.indexBits) | 1 << UInt64(Self.indexBits - 1)).leadingZeroBitCount + 1)
        if rank > registers[index] { registers[index] = rank }
    }

    private var estimate: Int {
        let size = Double(registers.count)
        let sum = registers.reduce(0) { $0 + exp2(-Double($1)) }
        let raw = 0.7213 / (1 + 1.079 / size) * size * size / sum
        let empty = registers.count { $0 == 0 }
        return Int((raw <= 2.5 * size && empty > 0 ? size * log(size / Double(empty)) : raw).rounded())
    }
}
