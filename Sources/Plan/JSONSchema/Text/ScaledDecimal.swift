package import Primitives

/// An exact decimal number below 10^19 with at most 18 decimals. Numbers that do not fit are never rounded: the
/// initializers return nil.
package struct ScaledDecimal: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// The number times 10^18.
    package let units: WideInteger

    /// The number 1 in units.
    package static let one: WideInteger = 1_000_000_000_000_000_000
    /// The exclusive limit of every number's magnitude in units.
    package static let limit: WideInteger = one * one * 10

    /// Makes a number from units; nil past the limit.
    package init?(units: WideInteger) {
        guard units > -Self.limit, units < Self.limit else { return nil }
        self.units = units
    }

    package init(_ number: Int64) { units = WideInteger(number) * Self.one }

    /// Parses a JSON number; nil if it does not fit.
    package init?(_ text: String) {
        let parts = text.lowercased().split(separator: "e", omittingEmptySubsequences: false)
        guard parts.count <= 2, let exponent = parts.count == 2 ? Int(parts[1]) : 0 else { return nil }
        let isNegative = parts[0].hasPrefix("-")
        let sides = parts[0].drop { $0 == "-" }.split(separator: ".", omittingEmptySubsequences: false)
        guard sides.count <= 2, let whole = sides.first else { return nil }
        let fraction = sides.count == 2 ? sides[1] : ""
        var digits = (whole + fraction).utf8.map { Int64($0) - 0x30 }
        guard !digits.isEmpty, digits.allSatisfy({ (0...9).contains($0) }), abs(exponent) <= 1_000_000 else {
            return nil
        }
        var power = exponent - fraction.utf8.count
        while digits.last == 0 {
            digits.removeLast()
            power += 1
        }
        digits = Array(digits.drop { $0 == 0 })
        guard !digits.isEmpty else {
            units = 0
            return
        }
        guard power >= -18, digits.count + power <= 19 else { return nil }
        var units: WideInteger = 0
        for digit in digits { units = units * 10 + WideInteger(digit) }
        for _ in 0..<(power + 18) { units *= 10 }
        self.units = isNegative ? -units : units
    }

    package static func < (left: ScaledDecimal, right: ScaledDecimal) -> Bool { left.units < right.units }

    /// The number as JSON, without redundant zeros.
    package var description: String {
        let size = units.magnitude
        let one = Self.one.magnitude
        var fraction = (size % one).description
        fraction = String(repeating: "0", count: 18 - fraction.count) + fraction
        while fraction.hasSuffix("0") { fraction.removeLast() }
        return (units < 0 ? "-" : "") + (size / one).description + (fraction.isEmpty ? "" : "." + fraction)
    }
}
