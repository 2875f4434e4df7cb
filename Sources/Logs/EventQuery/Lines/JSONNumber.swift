internal import Foundation

enum JSONNumber {
    /// An integer of up to 64 bits; nil for any other number.
    @inline(__always)
    static func wholeNumber(_ digits: UnsafeRawBufferPointer) -> Int64? {
        integer(digits) ?? longNumber(digits)
    }

    /// An integer of nineteen digits, if it fits 64 bits.
    @inline(never)
    private static func longNumber(_ digits: UnsafeRawBufferPointer) -> Int64? {
        guard 19...20 ~= digits.count, isNumber(digits) else { return nil }
        return Int64(String(decoding: digits, as: UTF8.self))
    }

    /// An integer of up to 64 bits in plain digits; nil for any other number.
    @inline(__always)
    static func integer(_ digits: UnsafeRawBufferPointer) -> Int64? {
        guard let first = digits.first else { return nil }
        let isNegative = first == UInt8(ascii: "-")
        let rest = isNegative ? UnsafeRawBufferPointer(rebasing: digits.dropFirst()) : digits
        guard rest.count != 19 else { return longest(rest, isNegative: isNegative) }
        guard let magnitude = magnitude(rest) else { return nil }
        return isNegative ? -magnitude : magnitude
    }

    /// An integer of nineteen digits, which may overflow.
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

    /// A number of one to eighteen digits; nil for anything else.
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

    /// Converts seconds to microseconds: exact for up to six decimals, otherwise rounded to the nearest. Nil if the
    /// digits are not a number or don't fit 64 bits.
    @inline(__always)
    static func microseconds(_ digits: UnsafeRawBufferPointer) -> Int64? {
        if digits.first == UInt8(ascii: "-") {
            let rest = UnsafeRawBufferPointer(rebasing: digits.dropFirst())
            return exactMicroseconds(rest).map { -$0 } ?? roundedMicroseconds(digits)
        }
        return exactMicroseconds(digits) ?? roundedMicroseconds(digits)
    }

    /// The fast path: at most twelve digits with at most six decimals.
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
        for index in (at + 1)..<(at + 7) {
            let digit = index < digits.count ? digits[index] &- UInt8(ascii: "0") : 0
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

    /// The nearest double; nil if the digits are not a JSON number, or exceed the range.
    static func double(_ digits: UnsafeRawBufferPointer) -> Double? {
        guard isNumber(digits) else { return nil }
        guard let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    /// Whether a text is a number by RFC 8259. `Double` accepts more, such as `0x1` and `.5`.
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
