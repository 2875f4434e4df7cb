/// A set of numbers as bits. Invariants compare it with the ranges of the package: an independent model that shares no code
/// with them.
struct NumberBitmap {
    private var words: [UInt64] = []
    /// The number of the first bit; a multiple of 64.
    private var base: Int64
    private(set) var count: Int64 = 0

    /// - Parameter first: A lower bound of all numbers.
    init(from first: Int64 = 0) { base = first & ~63 }

    func contains(_ number: Int64) -> Bool {
        let index = Int(number - base)
        guard index >= 0, index >> 6 < words.count else { return false }
        return words[index >> 6] & (1 << UInt64(index & 63)) != 0
    }

    /// Adds numbers.
    ///
    /// - Returns: The number of those that are new.
    @discardableResult mutating func insert(_ range: ClosedRange<Int64>) -> Int64 {
        var new: Int64 = 0
        if Int(range.upperBound - base) >> 6 >= words.count {
            words.append(contentsOf: repeatElement(0, count: (Int(range.upperBound - base) >> 6) + 1 - words.count))
        }
        Self.forEachMask(range, base) { word, mask in
            new += Int64((mask & ~words[word]).nonzeroBitCount)
            words[word] |= mask
        }
        count += new
        return new
    }

    /// The number of members in a range.
    func count(in range: ClosedRange<Int64>) -> Int64 {
        var found: Int64 = 0
        Self.forEachMask(range, base) { word, mask in
            if word < words.count { found += Int64((mask & words[word]).nonzeroBitCount) }
        }
        return found
    }

    func containsAll(_ range: ClosedRange<Int64>) -> Bool {
        count(in: range) == range.upperBound - range.lowerBound + 1
    }

    private static func forEachMask(_ range: ClosedRange<Int64>, _ base: Int64, _ body: (Int, UInt64) -> Void) {
        let (from, to) = (max(0, Int(range.lowerBound - base)), Int(range.upperBound - base))
        guard from <= to else { return }
        let (first, last) = (from >> 6, to >> 6)
        for word in first...last {
            var mask = UInt64.max
            if word == first { mask &= UInt64.max << UInt64(from & 63) }
            if word == last { mask &= UInt64.max >> UInt64(63 - (to & 63)) }
            body(word, mask)
        }
    }
}
