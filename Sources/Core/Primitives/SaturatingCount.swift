/// How many numbers clients have announced, from 0 to ``maximum``. Clients choose the numbers, so the operators of sums and
/// differences saturate instead of trapping.
package struct SaturatingCount: Hashable, Comparable, AdditiveArithmetic, ExpressibleByIntegerLiteral, Sendable {
    /// The highest integer that each JSON reader reads exactly (RFC 7493).
    package static let maximum: Int64 = (1 << 53) - 1

    package let value: Int64

    package init(_ value: Int64) { self.value = min(max(value, 0), Self.maximum) }

    package init(integerLiteral value: Int64) { self.init(value) }

    /// The length of a range.
    package init(of range: ClosedRange<Int64>) {
        let (difference, overflows) = range.upperBound.subtractingReportingOverflow(range.lowerBound)
        self = Self(overflows ? .max : difference) + 1
    }

    package static func < (left: Self, right: Self) -> Bool { left.value < right.value }
    // Two values need 54 bits.
    package static func + (left: Self, right: Self) -> Self { Self(left.value + right.value) }
    package static func - (left: Self, right: Self) -> Self { Self(left.value - right.value) }
}

extension Sequence<SaturatingCount> {
    package var sum: SaturatingCount { reduce(0, +) }
}

extension NumberRanges {
    /// How many numbers the ranges have.
    package static func count(_ ranges: [ClosedRange<Int64>]) -> SaturatingCount {
        ranges.reduce(0) { $0 + SaturatingCount(of: $1) }
    }
}
