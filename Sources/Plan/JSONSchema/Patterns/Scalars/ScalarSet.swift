/// A set of Unicode code points.
struct ScalarSet: Hashable, Sendable {
    /// The members: ascending, neither overlapping nor adjacent.
    let ranges: [ClosedRange<UInt32>]
    /// Whether each ASCII character is a member, one bit per character.
    private let low: UInt64
    private let high: UInt64

    static let last: UInt32 = 0x10FFFF

    /// Makes a set from ranges in any order.
    init(_ parts: [ClosedRange<UInt32>]) {
        var ranges: [ClosedRange<UInt32>] = []
        for part in parts.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let tail = ranges.last, part.lowerBound <= tail.upperBound + 1 {
                ranges[ranges.count - 1] = tail.lowerBound...max(tail.upperBound, part.upperBound)
            } else {
                ranges.append(part)
            }
        }
        self.ranges = ranges
        var bits: (low: UInt64, high: UInt64) = (0, 0)
        for range in ranges where range.lowerBound < 0x80 {
            for value in range.lowerBound...min(range.upperBound, 0x7F) {
                if value < 64 { bits.low |= 1 << UInt64(value) } else { bits.high |= 1 << UInt64(value - 64) }
            }
        }
        (low, high) = bits
    }

    init(_ scalar: UInt32) { self.init([scalar...scalar]) }

    /// The code points that are not members.
    var inverted: ScalarSet {
        var gaps: [ClosedRange<UInt32>] = []
        var next: UInt32 = 0
        for range in ranges {
            if range.lowerBound > next { gaps.append(next...range.lowerBound - 1) }
            next = range.upperBound + 1
        }
        if next <= Self.last { gaps.append(next...Self.last) }
        return ScalarSet(gaps)
    }

    @inline(__always)
    func contains(_ scalar: UInt32) -> Bool {
        if scalar < 64 { return low >> UInt64(scalar) & 1 != 0 }
        if scalar < 128 { return high >> UInt64(scalar - 64) & 1 != 0 }
        return containsBeyondASCII(scalar)
    }

    private func containsBeyondASCII(_ scalar: UInt32) -> Bool {
        var lower = 0
        var upper = ranges.count
        while lower < upper {
            let middle = (lower + upper) / 2
            if ranges[middle].upperBound < scalar { lower = middle + 1 } else { upper = middle }
        }
        return lower < ranges.count && ranges[lower].lowerBound <= scalar
    }
}

extension ScalarSet {
    static let all = ScalarSet([0...last])

    /// The set `\d`.
    static let digit = ScalarSet([0x30...0x39])

    /// The set `\w`.
    static let word = ScalarSet([0x30...0x39, 0x41...0x5A, 0x5F...0x5F, 0x61...0x7A])

    /// The set `\s`: white space and line terminators of ECMAScript.
    static let space = ScalarSet([
        0x09...0x0D, 0x20...0x20, 0xA0...0xA0, 0x1680...0x1680, 0x2000...0x200A, 0x2028...0x2029, 0x202F...0x202F,
        0x205F...0x205F, 0x3000...0x3000, 0xFEFF...0xFEFF,
    ])

    /// The set `.`: all characters except line terminators.
    static let dot = ScalarSet([0x0A...0x0A, 0x0D...0x0D, 0x2028...0x2029]).inverted
}

extension ScalarSet {
    /// Builds a set from many ranges in any order, merging them regularly to limit memory.
    struct Collector {
        private var parts: [ClosedRange<UInt32>] = []
        /// The number of parts at which to merge them.
        private var enough = 4096

        mutating func add(_ ranges: [ClosedRange<UInt32>]) {
            parts += ranges
            guard parts.count > enough else { return }
            parts = set.ranges
            enough = max(4096, 2 * parts.count)
        }

        /// The set of all added ranges.
        var set: ScalarSet { ScalarSet(parts) }
    }
}
