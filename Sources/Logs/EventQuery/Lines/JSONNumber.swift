internal import Foundation

/// Numbers of JSON, read from their digits.
enum JSONNumber {
    /// A whole number of 64 bits; nil for any other.
    @inline(__always)
    static func wholeNumber(_ digits: UnsafeRawBufferPointer) -> Int64? {
        integer(digits) ?? longNumber(digits)
    }

    /// One of nineteen digits, as far as 64 bits go.
    @inline(never)
    private static func longNumber(_ digits: UnsafeRawBufferPointer) -> Int64? {
        guard 19...20 ~= digits.count, isNumber(digits) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    /// A whole number of at most eighteen digits, which leaves room to count on; nil for any other.
    @inline(__always)
    static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
        guard let first = digits.first else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        let rest = isNegative ? UnsafeRawBufferPointer(rebasing: digits.dropFirst()) : digits
        guard rest.count != 19 else { return longest(rest, isNegative: isNegative) }
        guard let magnitude = magnitude(rest) else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    /// As many digits as not every number of 64 bits has.
    @inline(never)
    private static func longest(_ digits: UnsafeRawBufferPointer, isNegative: Bool) -> Int64? {
        var value: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            let (tens, isPast) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflows) =
                isNegative
                ? tens.subtractingReportingOverflow(Int64(digit)) : tens.addingReportingOverflow(Int64(digit))
            guard !isPast, !overflows else { return nil }
            value = sum
        }
        return value
    }

    /// At most eighteen digits, and nothing else.
    @inline(__always)
    private static func magnitude(_ digits: UnsafeRawBufferPointer) -> Int64? {
        guard !digits.isEmpty, digits.count <= 18 else { return nil }
        var value: Int64 = 0
        for byte in digits {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            value = value &* 10 &+ Int64(digit)
        }
        return value
    }

    /// A number of seconds as whole microseconds: exact for up to six decimals, to the nearest for others; nil for what is
    /// no number or past 64 bits.
    @inline(__always)
    static func microseconds(_ digits: UnsafeRawBufferPointer) -> Int64? {
        if digits.first == UInt8(ascii: "-") {
            let rest = UnsafeRawBufferPointer(rebasing: digits.dropFirst())
            return exactMicroseconds(rest).map { -$0 } ?? roundedMicroseconds(digits)
        }
        return exactMicroseconds(digits) ?? roundedMicroseconds(digits)
    }

    /// Of at most twelve digits with at most six decimals.
    @inline(__always)
    private static func exactMicroseconds(_ digits: UnsafeRawBufferPointer) -> Int64? {
        var seconds: Int64 = 0
        var at = 0
        while at < digits.count, at < 12 {
            let digit = digits[at] &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            seconds = seconds &* 10 &+ Int64(digit)
            at += 1
        }
        guard at > 0 else { return nil }
        if at == digits.count { return seconds * 1_000_000 }
        let decimals = digits.count - at - 1
        guard digits[at] == UInt8(ascii: "."), 1...6 ~= decimals else { return nil }
        var fraction: Int64 = 0
        for location in (at + 1)..<(at + 7) {
            let digit = location < digits.count ? digits[location] &- UInt8(ascii: "0") : 0
            guard digit < 10 else { return nil }
            fraction = fraction &* 10 &+ Int64(digit)
        }
        return seconds * 1_000_000 + fraction
    }

    @inline(never)
    private static func roundedMicroseconds(_ digits: UnsafeRawBufferPointer) -> Int64? {
        if let whole = integer(digits) {
            let (product, overflows) = whole.multipliedReportingOverflow(by: 1_000_000)
            return overflows ? nil : product
        }
        return double(digits).flatMap { Int64(exactly: ($0 * 1_000_000).rounded()) }
    }

    /// The nearest double; nil for what is no number of JSON, and past the largest.
    static func double(_ digits: UnsafeRawBufferPointer) -> Double? {
        guard isNumber(digits) else { return nil }
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// Whether this is a number by RFC 8259: `Double` reads more, such as `0x1` and `.5`.
    private static func isNumber(_ text: UnsafeRawBufferPointer) -> Bool {
        var rest = text[...]
        func digits() -> Int {
            let count = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }.count
            rest = rest.dropFirst(count)
            return count
        }
        func take(_ bytes: UInt8...) -> Bool {
            guard let first = rest.first, bytes.contains(first) else { return false }
            rest = rest.dropFirst()
            return true
        }
        _ = take(UInt8(ascii: "-"))
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = digits()
        guard whole == 1 || (whole > 1 && !startsWithZero) else { return false }
        if take(UInt8(ascii: ".")), digits() == 0 { return false }
        if take(UInt8(ascii: "e"), UInt8(ascii: "E")) {
            _ = take(UInt8(ascii: "+"), UInt8(ascii: "-"))
            if digits() == 0 { return false }
        }
        return rest.isEmpty
    }
}
