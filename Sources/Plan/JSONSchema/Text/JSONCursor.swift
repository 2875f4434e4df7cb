/// Reads the bytes of a JSON text (RFC 8259) token by token, and validates grammar, UTF-8 and escapes.
///
/// It holds pointers to the bytes, which the creator must keep alive. Nothing is allocated.
struct JSONCursor {
    let start: UnsafePointer<UInt8>
    let end: UnsafePointer<UInt8>
    /// The next byte; after an error, the invalid byte.
    var at: UnsafePointer<UInt8>

    init(_ text: UnsafeBufferPointer<UInt8>) {
        // An empty buffer may have no address; this one is never read.
        start = text.baseAddress ?? UnsafePointer(bitPattern: 16).unsafelyUnwrapped
        end = start + text.count
        at = start
    }

    var offset: Int { at - start }

    /// Returns the next byte that is not white space, without consuming it; 0 at the end.
    @inline(__always)
    mutating func peek() -> UInt8 {
        while at < end {
            let byte = at.pointee
            if byte > 0x20 { return byte }
            guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return byte == 0 ? 1 : byte }
            at += 1
        }
        return 0
    }

    /// Consumes a byte and the white space before it, or throws.
    @inline(__always)
    mutating func consume(_ byte: UInt8, or issue: JSONSyntaxError) throws(JSONSyntaxError) {
        guard peek() == byte else { throw issue }
        at += 1
    }

    /// Checks that only white space is left.
    mutating func finish() throws(JSONSyntaxError) {
        guard peek() == 0 else { throw .expectedEnd }
    }

    /// The bytes of a string between its quotes.
    struct StringSpan {
        let start: UnsafePointer<UInt8>
        let count: Int
        /// Whether the bytes contain escapes.
        let hasEscapes: Bool
        /// Whether all bytes are ASCII, so that without escapes the byte count is the character count.
        let isASCII: Bool

        var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
    }

    /// Consumes a string. The cursor must be at the opening quote.
    @inline(__always)
    mutating func string() throws(JSONSyntaxError) -> StringSpan {
        at += 1
        let first = at
        // Read eight bytes at a time until a quote, a backslash, a control character or a non-ASCII byte.
        while end - at >= 8 {
            let word = UnsafeRawPointer(at).loadUnaligned(as: UInt64.self).littleEndian
            let odd = Self.unusual(word)
            guard odd == 0 else {
                at += odd.trailingZeroBitCount >> 3
                break
            }
            at += 8
        }
        if at < end, at.pointee == UInt8(ascii: "\"") {
            let count = at - first
            at += 1
            return StringSpan(start: first, count: count, hasEscapes: false, isASCII: true)
        }
        return try unusualString(from: first)
    }

    /// Returns a bit in each byte that is a quote, a backslash, a control character or not ASCII. After the first such
    /// byte, others may be marked wrongly.
    @inline(__always)
    private static func unusual(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let highs: UInt64 = 0x8080_8080_8080_8080
        let quote = word ^ (ones &* 0x22)
        let backslash = word ^ (ones &* 0x5C)
        let marks =
            (quote &- ones) & ~quote | (backslash &- ones) & ~backslash | (word &- ones &* 0x20) & ~word | word
        return marks & highs
    }

    @inline(never)
    private mutating func unusualString(from first: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> StringSpan {
        var hasEscapes = false
        var isASCII = true
        while at < end {
            let byte = at.pointee
            switch byte {
            case UInt8(ascii: "\""):
                let count = at - first
                at += 1
                return StringSpan(start: first, count: count, hasEscapes: hasEscapes, isASCII: isASCII)
            case UInt8(ascii: "\\"):
                hasEscapes = true
                try escape()
            case 0..<0x20: throw .controlCharacter
            case 0x80...:
                isASCII = false
                try sequence()
            default: at += 1
            }
        }
        throw .unfinishedString
    }

    private mutating func escape() throws(JSONSyntaxError) {
        guard end - at >= 2 else {
            at = end
            throw .unfinishedString
        }
        switch at[1] {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"), UInt8(ascii: "b"), UInt8(ascii: "f"),
            UInt8(ascii: "n"), UInt8(ascii: "r"), UInt8(ascii: "t"):
            at += 2
        case UInt8(ascii: "u"):
            let first = try codeUnit(at)
            if first & 0xF800 != 0xD800 {
                at += 6
            } else {
                guard first < 0xDC00, end - at >= 12, at[6] == UInt8(ascii: "\\"), at[7] == UInt8(ascii: "u"),
                    case 0xDC00...0xDFFF = try codeUnit(at + 6)
                else { throw .halfSurrogatePair }
                at += 12
            }
        default: throw .unknownEscape
        }
    }

    /// Returns the code unit of an escape's four hexadecimal digits.
    private func codeUnit(_ at: UnsafePointer<UInt8>) throws(JSONSyntaxError) -> UInt32 {
        guard end - at >= 6 else { throw .unknownEscape }
        var value: UInt32 = 0
        for index in 2..<6 {
            guard let digit = HexDigit.value(at[index]) else { throw .unknownEscape }
            value = value << 4 | UInt32(digit)
        }
        return value
    }

    /// Consumes one character of two to four bytes (RFC 3629, table of well-formed sequences).
    private mutating func sequence() throws(JSONSyntaxError) {
        let lead = at.pointee
        let left = end - at
        func follows(_ index: Int, _ range: ClosedRange<UInt8> = 0x80...0xBF) -> Bool { range.contains(at[index]) }
        switch lead {
        case 0xC2...0xDF where left >= 2 && follows(1): at += 2
        case 0xE0 where left >= 3 && follows(1, 0xA0...0xBF) && follows(2): at += 3
        case 0xED where left >= 3 && follows(1, 0x80...0x9F) && follows(2): at += 3
        case 0xE1...0xEC where left >= 3 && follows(1) && follows(2): at += 3
        case 0xEE...0xEF where left >= 3 && follows(1) && follows(2): at += 3
        case 0xF0 where left >= 4 && follows(1, 0x90...0xBF) && follows(2) && follows(3): at += 4
        case 0xF1...0xF3 where left >= 4 && follows(1) && follows(2) && follows(3): at += 4
        case 0xF4 where left >= 4 && follows(1, 0x80...0x8F) && follows(2) && follows(3): at += 4
        default: throw .notUTF8
        }
    }

    struct NumberSpan {
        let start: UnsafePointer<UInt8>
        let count: Int
        /// The value, if the number has neither fraction nor exponent and at most 18 digits.
        let integer: Int64?
        /// The next lower integer of a number with a fraction and without an exponent, if it has at most 18 digits. The
        /// value does not exceed the next higher integer.
        let floor: Int64?
        /// Whether it has neither fraction nor exponent.
        let isWhole: Bool
        let hasExponent: Bool

        var buffer: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: start, count: count) }
    }

    /// Consumes a number. The cursor must be at its minus sign or first digit.
    @inline(__always)
    mutating func number() throws(JSONSyntaxError) -> NumberSpan {
        let first = at
        let isNegative = at.pointee == UInt8(ascii: "-")
        if isNegative { at += 1 }
        let digits = at
        var value: UInt64 = 0
        while at < end {
            let digit = at.pointee &- UInt8(ascii: "0")
            guard digit < 10 else { break }
            value = value &* 10 &+ UInt64(digit)
            at += 1
        }
        let count = at - digits
        guard count > 0 else { throw .unfinishedNumber }
        if count > 1, digits.pointee == UInt8(ascii: "0") {
            at = digits
            throw .leadingZero
        }
        if at < end, at.pointee == UInt8(ascii: ".") || at.pointee | 0x20 == UInt8(ascii: "e") {
            let hasExponent = try fractionAndExponent()
            let floor = isNegative ? -1 &- Int64(bitPattern: value) : Int64(bitPattern: value)
            return NumberSpan(
                start: first, count: at - first, integer: nil, floor: hasExponent || count > 18 ? nil : floor,
                isWhole: false, hasExponent: hasExponent)
        }
        let magnitude = Int64(bitPattern: value)
        return NumberSpan(
            start: first, count: at - first, integer: count <= 18 ? (isNegative ? 0 &- magnitude : magnitude) : nil,
            floor: nil, isWhole: true, hasExponent: false)
    }

    private mutating func fractionAndExponent() throws(JSONSyntaxError) -> Bool {
        if at.pointee == UInt8(ascii: ".") {
            at += 1
            try digits()
        }
        if at < end, at.pointee | 0x20 == UInt8(ascii: "e") {
            at += 1
            if at < end, at.pointee == UInt8(ascii: "+") || at.pointee == UInt8(ascii: "-") { at += 1 }
            try digits()
            return true
        }
        return false
    }

    private mutating func digits() throws(JSONSyntaxError) {
        let first = at
        while at < end, at.pointee &- UInt8(ascii: "0") < 10 { at += 1 }
        guard at > first else { throw .unfinishedNumber }
    }

    /// Consumes `true`, `false` or `null`.
    @inline(__always)
    mutating func literal(_ text: StaticString) throws(JSONSyntaxError) {
        let count = text.utf8CodeUnitCount
        guard end - at >= count else { throw .expectedValue }
        let expected = text.utf8Start
        for index in 0..<count where at[index] != expected[index] { throw .expectedValue }
        at += count
    }
}
