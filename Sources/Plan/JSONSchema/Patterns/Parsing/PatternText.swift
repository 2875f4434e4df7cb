/// Reads the bytes of a pattern.
struct PatternText {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ source: some Sequence<UInt8>) { bytes = Array(source) }

    /// Returns the byte at a distance without consuming it, or nil past the end.
    func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    mutating func skip(_ count: Int = 1) { offset = min(offset + count, bytes.count) }

    /// Consumes an ASCII text if it is next.
    mutating func consume(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { wanted in
            offset + wanted.count <= bytes.count && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
        }
        if matches { offset += text.utf8CodeUnitCount }
        return matches
    }

    /// Consumes a whole character; returns nil at the end.
    mutating func scalar() -> UInt32? {
        guard offset < bytes.count else { return nil }
        return bytes.withUnsafeBufferPointer { UTF8Walk($0).next(&offset) }
    }

    /// Consumes decimal digits; returns nil if there are none. Numbers that are too large are clamped.
    mutating func number() -> Int? {
        let start = offset
        var value = 0
        while let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000_000)
            offset += 1
        }
        return offset > start ? value : nil
    }

    /// Consumes exactly `count` hexadecimal digits, or nothing and returns nil.
    mutating func hexadecimal(_ count: Int) -> UInt32? {
        var value: UInt32 = 0
        for distance in 0..<count {
            guard let byte = peek(distance), let digit = HexDigit.value(byte) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        offset += count
        return value
    }

    /// Moves back to an earlier offset.
    mutating func goBack(to offset: Int) { self.offset = offset }

    /// Makes an error at an offset, by default the next byte.
    func issue(_ reason: String, at location: Int? = nil) -> PatternSyntaxError {
        PatternSyntaxError(offset: location ?? offset, reason: reason)
    }
}
