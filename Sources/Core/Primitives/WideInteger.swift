/// A signed integer with 128 bits: two's complement in two words. Traps on overflow, like the standard library's
/// integers.
///
/// The subset of the standard library's `Int128` that this package uses, since that type requires macOS 15 and iOS 18.
package struct WideInteger: Hashable, Sendable {
    private let high: Int64
    private let low: UInt64

    private init(high: Int64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package init(_ number: some BinaryInteger & FixedWidthInteger) {
        precondition(
            Int64(exactly: number) != nil || UInt64(exactly: number) != nil, "the number has more than 64 bits")
        self.init(high: number < 0 ? -1 : 0, low: UInt64(truncatingIfNeeded: number))
    }

    /// The absolute value, with all 128 bits.
    private var size: (high: UInt64, low: UInt64) {
        guard high < 0 else { return (UInt64(high), low) }
        let (low, carries) = (~self.low).addingReportingOverflow(1)
        return (UInt64(bitPattern: ~high) &+ (carries ? 1 : 0), low)
    }

    /// Nil if the number does not fit.
    private init?(size: (high: UInt64, low: UInt64), isNegative: Bool) {
        let limit = UInt64(bitPattern: Int64.min)
        guard size.high < limit || isNegative && size == (limit, 0) else { return nil }
        guard isNegative else {
            self.init(high: Int64(size.high), low: size.low)
            return
        }
        let (low, carries) = (~size.low).addingReportingOverflow(1)
        self.init(high: Int64(bitPattern: ~size.high &+ (carries ? 1 : 0)), low: low)
    }

    package static let max = WideInteger(high: .max, low: .max)
    package static let min = WideInteger(high: .min, low: 0)

    /// The number if it fits 64 bits.
    package var asInt64: Int64? {
        let number = Int64(bitPattern: low)
        return high == (number < 0 ? -1 : 0) ? number : nil
    }

    /// The number, limited to the range of the type.
    package var clampedToUInt64: UInt64 { high < 0 ? 0 : high > 0 ? .max : low }

    /// Multiplies; nil on overflow.
    package func multiplied(by other: WideInteger) -> WideInteger? {
        let left = size
        let right = other.size
        guard left.high == 0 || right.high == 0 else { return nil }
        let (upper, overflows) =
            left.high == 0
            ? right.high.multipliedReportingOverflow(by: left.low)
            : left.high.multipliedReportingOverflow(by: right.low)
        let lower = left.low.multipliedFullWidth(by: right.low)
        let (high, carries) = lower.high.addingReportingOverflow(upper)
        guard !overflows, !carries else { return nil }
        return WideInteger(size: (high, lower.low), isNegative: (self.high < 0) != (other.high < 0))
    }

    /// Divides and truncates towards zero. The remainder has the sign of the dividend.
    package func quotientAndRemainder(dividingBy other: WideInteger) -> (quotient: WideInteger, remainder: WideInteger)
    {
        let (quotient, remainder) = Self.divide(size, by: other.size)
        guard let quotient = WideInteger(size: quotient, isNegative: (high < 0) != (other.high < 0)),
            let remainder = WideInteger(size: remainder, isNegative: high < 0)
        else { preconditionFailure("the quotient does not fit") }
        return (quotient, remainder)
    }

    private typealias Size = (high: UInt64, low: UInt64)

    private static func divide(_ size: Size, by divisor: Size) -> (quotient: Size, remainder: Size) {
        guard divisor.high > 0 else {
            let upper = size.high.quotientAndRemainder(dividingBy: divisor.low)
            let lower = divisor.low.dividingFullWidth((upper.remainder, size.low))
            return ((upper.quotient, lower.quotient), (0, lower.remainder))
        }
        // The quotient has fewer than 64 bits: compute it bit by bit.
        var quotient: UInt64 = 0
        var rest: Size = (0, size.high)
        for bit in (0..<64).reversed() {
            let isPastEnd = rest.high >> 63 == 1
            rest = (rest.high << 1 | rest.low >> 63, rest.low << 1 | size.low >> UInt64(bit) & 1)
            quotient <<= 1
            guard isPastEnd || rest >= divisor else { continue }
            let (low, borrows) = rest.low.subtractingReportingOverflow(divisor.low)
            rest = (rest.high &- divisor.high &- (borrows ? 1 : 0), low)
            quotient |= 1
        }
        return ((0, quotient), rest)
    }
}

extension WideInteger: Comparable {
    package static func < (left: WideInteger, right: WideInteger) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension WideInteger: ExpressibleByIntegerLiteral {
    package init(integerLiteral value: Int64) { self.init(value) }
}

extension WideInteger: CustomStringConvertible {
    package var description: String {
        let digits: UInt64 = 1_000_000_000_000_000_000
        var rest = size
        var text = ""
        repeat {
            let (quotient, part) = Self.divide(rest, by: (0, digits))
            let written = String(part.low)
            text =
                (quotient == (0, 0) ? written : String(repeating: "0", count: 18 - written.utf8.count) + written) + text
            rest = quotient
        } while rest != (0, 0)
        return (high < 0 ? "-" : "") + text
    }
}

extension WideInteger {
    package var magnitude: WideInteger { self < 0 ? -self : self }

    package static prefix func - (number: WideInteger) -> WideInteger { 0 - number }

    package static func + (left: WideInteger, right: WideInteger) -> WideInteger {
        let (low, carries) = left.low.addingReportingOverflow(right.low)
        // In one step, since the carry may bring a sum back into range.
        let (sum, overflows) = left.high.addingReportingOverflow(right.high)
        let (high, overflowsByCarry) = sum.addingReportingOverflow(carries ? 1 : 0)
        precondition(overflows == overflowsByCarry, "the sum does not fit")
        return WideInteger(high: high, low: low)
    }

    package static func - (left: WideInteger, right: WideInteger) -> WideInteger {
        let (low, borrows) = left.low.subtractingReportingOverflow(right.low)
        let (difference, overflows) = left.high.subtractingReportingOverflow(right.high)
        let (high, overflowsByBorrow) = difference.subtractingReportingOverflow(borrows ? 1 : 0)
        precondition(overflows == overflowsByBorrow, "the difference does not fit")
        return WideInteger(high: high, low: low)
    }

    package static func * (left: WideInteger, right: WideInteger) -> WideInteger {
        guard let product = left.multiplied(by: right) else { preconditionFailure("the product does not fit") }
        return product
    }

    package static func / (left: WideInteger, right: WideInteger) -> WideInteger {
        left.quotientAndRemainder(dividingBy: right).quotient
    }

    package static func % (left: WideInteger, right: WideInteger) -> WideInteger {
        left.quotientAndRemainder(dividingBy: right).remainder
    }

    package static func += (left: inout WideInteger, right: WideInteger) { left = left + right }
    package static func *= (left: inout WideInteger, right: WideInteger) { left = left * right }
    package static func /= (left: inout WideInteger, right: WideInteger) { left = left / right }
}
