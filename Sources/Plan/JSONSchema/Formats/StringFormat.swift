internal import Primitives

/// A format that the validator checks (JSON Schema Validation 2020-12, section 7.3).
///
/// Other formats are annotations; `idn-email` and `idn-hostname` would need Unicode tables.
enum StringFormat: UInt8, CaseIterable, Sendable {
    case dateTime, date, time, duration
    case uuid
    case uri, uriReference, iri, iriReference, uriTemplate
    case email, hostname, ipv4, ipv6
    case jsonPointer, relativeJSONPointer
    case regex

    /// Finds the format with a name, such as `date-time`; nil for an unchecked format.
    init?(name: some StringProtocol) {
        guard let format = Self.allCases.first(where: { name == $0.name }) else { return nil }
        self = format
    }

    var name: String {
        switch self {
        case .dateTime: "date-time"
        case .date: "date"
        case .time: "time"
        case .duration: "duration"
        case .uuid: "uuid"
        case .uri: "uri"
        case .uriReference: "uri-reference"
        case .iri: "iri"
        case .iriReference: "iri-reference"
        case .uriTemplate: "uri-template"
        case .email: "email"
        case .hostname: "hostname"
        case .ipv4: "ipv4"
        case .ipv6: "ipv6"
        case .jsonPointer: "json-pointer"
        case .relativeJSONPointer: "relative-json-pointer"
        case .regex: "regex"
        }
    }

    /// Returns whether a text has the format. The text is UTF-8 with JSON escapes resolved.
    func accepts(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        switch self {
        case .dateTime: InternetTime.isDateTime(text)
        case .date: InternetTime.isDate(text)
        case .time: InternetTime.isTime(text)
        case .duration: Duration8601.matches(text)
        case .uuid: UUIDText.matches(text)
        case .uri: URISyntax(text, international: false).isURI
        case .uriReference: URISyntax(text, international: false).isReference
        case .iri: URISyntax(text, international: true).isURI
        case .iriReference: URISyntax(text, international: true).isReference
        case .uriTemplate: URITemplate.matches(text)
        case .email: MailAddress.matches(text)
        case .hostname: HostName.matches(text)
        case .ipv4: IPAddress.isVersion4(text)
        case .ipv6: IPAddress.isVersion6(text)
        case .jsonPointer: PointerSyntax.isPointer(text)
        case .relativeJSONPointer: PointerSyntax.isRelativePointer(text)
        case .regex: PatternParser.accepts(text)
        }
    }
}

extension StringFormat {
    /// Returns the cost of checking a text with `count` bytes, in steps. Only the syntax of patterns is expensive.
    @inline(__always)
    func steps(_ count: Int) -> Int { self == .regex ? count << 2 : 0 }
}

/// UUIDs of any version (RFC 4122, section 3): `8-4-4-4-12` hexadecimal digits of either case.
enum UUIDText {
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        // Bytes of a word are numbered from the lowest. The hyphens are at 8, 13, 18 and 23: bytes 0 and 5 of the
        // second word, 2 and 7 of the third. The last two words share four bytes.
        let second = text.word(at: 8)
        let third = text.word(at: 16)
        let hyphens =
            (second ^ 0x0000_2D00_0000_002D) & 0x0000_FF00_0000_00FF
            | (third ^ 0x2D00_0000_002D_0000) & 0xFF00_0000_00FF_0000
        // Replace hyphens by zeros, so that all bytes of a word are digits.
        let issues =
            issuesOfHexDigits(text.word(at: 0)) | issuesOfHexDigits(second ^ 0x0000_1D00_0000_001D)
            | issuesOfHexDigits(third ^ 0x1D00_0000_001D_0000) | issuesOfHexDigits(text.word(at: 24))
            | issuesOfHexDigits(text.word(at: 28))
        return hyphens | issues == 0
    }

    /// Sets the highest bit of each byte that is not a hexadecimal digit. Bits above a byte that already has its
    /// highest bit set are meaningless, but such a byte is itself an error.
    @inline(__always)
    private static func issuesOfHexDigits(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (0x7F &* ones)
        let letter = low | (0x20 &* ones)
        // The addition carries into the highest bit from a bound on.
        let digits = (low &+ (0x80 - 0x30) &* ones) & ~(low &+ (0x80 - 0x3A) &* ones)
        let letters = (letter &+ (0x80 - 0x61) &* ones) & ~(letter &+ (0x80 - 0x67) &* ones)
        return (~(digits | letters) | word) & (0x80 &* ones)
    }
}

/// The syntax of JSON pointers.
enum PointerSyntax {
    /// Returns whether a text is a pointer of RFC 6901: empty, or starting with `/`, with `~` only as `~0` and `~1`.
    static func isPointer(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard let first = text.first else { return true }
        guard first == UInt8(ascii: "/") else { return false }
        var isEscape = false
        for byte in text {
            if isEscape, byte != UInt8(ascii: "0"), byte != UInt8(ascii: "1") { return false }
            isEscape = byte == UInt8(ascii: "~")
        }
        return !isEscape
    }

    /// Returns whether a text is a relative pointer (draft-bhutton-relative-json-pointer-00, section 3): the number of
    /// levels up, an optional index offset, then `#` or a pointer. The draft's examples show `0-1#`, which its grammar
    /// omits.
    static func isRelativePointer(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard var location = endOfNumber(text, 0) else { return false }
        if location < text.count, text[location] == UInt8(ascii: "+") || text[location] == UInt8(ascii: "-") {
            guard let end = endOfNumber(text, location + 1) else { return false }
            location = end
        }
        if location == text.count - 1, text[location] == UInt8(ascii: "#") { return true }
        return isPointer(text.part(location, text.count))
    }

    /// Returns the end of a number without leading zeros; nil if there is none.
    private static func endOfNumber(_ text: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int? {
        var location = start
        while location < text.count, ASCII.isDigit(text[location]) { location += 1 }
        guard location > start, location == start + 1 || text[start] != UInt8(ascii: "0") else { return nil }
        return location
    }
}

/// Classes of ASCII characters.
enum ASCII {
    @inline(__always)
    static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") < 10 }

    @inline(__always)
    static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- UInt8(ascii: "a") < 26 }

    @inline(__always)
    static func isLetterOrDigit(_ byte: UInt8) -> Bool { isLetter(byte) || isDigit(byte) }

    @inline(__always)
    static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- UInt8(ascii: "a") < 6 }
}

extension UnsafeBufferPointer<UInt8> {
    /// Returns the eight bytes at an offset, the first one lowest. The caller must check that they exist.
    @inline(__always)
    func word(at offset: Int) -> UInt64 {
        UInt64(
            littleEndian: UnsafeRawPointer(baseAddress.unsafelyUnwrapped).loadUnaligned(
                fromByteOffset: offset, as: UInt64.self))
    }

    /// Returns the bytes between two offsets.
    @inline(__always)
    func part(_ start: Int, _ end: Int) -> UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(rebasing: self[start..<end])
    }
}

/// The formats of JSON Schema 2020-12 (Validation, section 7.3).
package enum StandardFormats {
    /// The names of all formats. All are validated except `idn-email` and `idn-hostname`; see ``StringFormat``.
    package static let names = Set(StringFormat.allCases.map(\.name)).union(["idn-email", "idn-hostname"])
}
