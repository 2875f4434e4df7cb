/// An exact JSON number with any number of digits and exponents of up to 18 digits, compared digit by digit.
///
/// It points into the text, which the creator must keep alive. Nothing is allocated.
struct ExactNumber {
    private let text: UnsafePointer<UInt8>
    let isNegative: Bool
    /// The offsets of the first and last nonzero digit. A decimal point may be between or next to them.
    private let first: Int
    private let last: Int
    /// The powers of ten of the first and the last digit.
    let highest: Int
    let lowest: Int

    var isZero: Bool { first > last }
    /// Whether it is an integer, such as `1.0` and `1e2`.
    var isInteger: Bool { isZero || lowest >= 0 }

    /// - Parameter text: A valid JSON number.
    init(_ text: UnsafeBufferPointer<UInt8>) {
        let base = text.baseAddress.unsafelyUnwrapped
        self.text = base
        isNegative = base[0] == UInt8(ascii: "-")
        var first = -1
        var last = -2
        var digits = 0
        var digitsBeforePoint: Int?
        var firstDigit = 0
        var lastDigit = 0
        var at = isNegative ? 1 : 0
        scan: while at < text.count {
            switch base[at] {
            case UInt8(ascii: "0"): digits += 1
            case UInt8(ascii: "."): digitsBeforePoint = digits
            case UInt8(ascii: "e"), UInt8(ascii: "E"): break scan
            default:
                if first < 0 {
                    first = at
                    firstDigit = digits
                }
                last = at
                lastDigit = digits
                digits += 1
            }
            at += 1
        }
        let exponent = at < text.count ? Self.exponent(UnsafeBufferPointer(rebasing: text[(at + 1)...])) : 0
        let before = digitsBeforePoint ?? digits
        self.first = first < 0 ? 0 : first
        self.last = first < 0 ? -1 : last
        highest = before - 1 - firstDigit + exponent
        lowest = before - 1 - lastDigit + exponent
    }

    /// Parses an exponent, clamped to ±10^18. Numbers that differ only in larger exponents are equal.
    private static func exponent(_ text: UnsafeBufferPointer<UInt8>) -> Int {
        let bound = 1_000_000_000_000_000_000
        var value = 0
        var isNegative = false
        for byte in text {
            switch byte {
            case UInt8(ascii: "-"): isNegative = true
            case UInt8(ascii: "+"): break
            default: value = value < bound / 10 ? value * 10 + Int(byte - UInt8(ascii: "0")) : bound
            }
        }
        return isNegative ? -value : value
    }

    /// The value if it is an integer of at most 18 digits.
    var integer: Int64? {
        guard !isZero else { return 0 }
        guard lowest >= 0, highest < 18 else { return nil }
        var value: Int64 = 0
        forEachDigit { value = value * 10 + Int64($0) }
        for _ in 0..<lowest { value *= 10 }
        return isNegative ? -value : value
    }

    /// Calls `body` with the digits from the first to the last nonzero one.
    @inline(__always)
    func forEachDigit(_ body: (UInt8) -> Void) {
        var at = first
        while at <= last {
            if text[at] != UInt8(ascii: ".") { body(text[at] - UInt8(ascii: "0")) }
            at += 1
        }
    }

    /// Returns -1, 0 or 1 if this is less than, equal to or greater than the other.
    func compare(_ other: ExactNumber) -> Int {
        if isZero || other.isZero || isNegative != other.isNegative {
            return sign == other.sign ? 0 : sign < other.sign ? -1 : 1
        }
        let size = compareMagnitude(other)
        return isNegative ? -size : size
    }

    private var sign: Int { isZero ? 0 : isNegative ? -1 : 1 }

    private func compareMagnitude(_ other: ExactNumber) -> Int {
        guard highest == other.highest else { return highest < other.highest ? -1 : 1 }
        var mine = first
        var theirs = other.first
        while true {
            if mine <= last, text[mine] == UInt8(ascii: ".") { mine += 1 }
            if theirs <= other.last, other.text[theirs] == UInt8(ascii: ".") { theirs += 1 }
            guard mine <= last, theirs <= other.last else {
                return mine <= last ? 1 : theirs <= other.last ? -1 : 0
            }
            if text[mine] != other.text[theirs] { return text[mine] < other.text[theirs] ? -1 : 1 }
            mine += 1
            theirs += 1
        }
    }

    /// Feeds equal data for equal numbers, however they are written.
    func hash(into hasher: inout Hasher) {
        hasher.combine(isZero)
        guard !isZero else { return }
        hasher.combine(isNegative)
        hasher.combine(highest)
        forEachDigit { hasher.combine($0) }
    }
}

extension ExactNumber {
    /// The length of its digits in bytes, without zeros at the ends.
    var length: Int { last - first + 1 }
}

/// The numbers that every JSON reader keeps exactly (RFC 7493, section 2.2).
enum InteroperableNumber {
    /// The largest integer up to which doubles represent every integer: 2^53 − 1.
    static let maximumInteger: Int64 = (1 << 53) - 1

    /// Returns whether a number is interoperable: no integer beyond ±(2^53 − 1), and nothing that overflows a double.
    @inline(__always)
    static func holds(_ span: JSONCursor.NumberSpan) -> Bool {
        if span.isWhole {
            guard let integer = span.integer else { return false }
            return integer.magnitude <= UInt64(maximumInteger)
        }
        return !span.hasExponent && span.count < 300 || isFinite(span)
    }

    @inline(never)
    private static func isFinite(_ span: JSONCursor.NumberSpan) -> Bool {
        let number = ExactNumber(span.buffer)
        guard !number.isZero, number.highest >= 308 else { return true }
        guard number.highest == 308 else { return false }
        // Halfway between the largest double and the next power of two.
        let limit: StaticString = "1797693134862315807e290"
        let magnitude = number.isNegative ? UnsafeBufferPointer(rebasing: span.buffer.dropFirst()) : span.buffer
        return ExactNumber(magnitude).compare(
            ExactNumber(UnsafeBufferPointer(start: limit.utf8Start, count: limit.utf8CodeUnitCount))) < 0
    }
}
