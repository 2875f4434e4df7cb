/// Walks over the bytes of a pattern.
struct PatternText {
    private let bytes: [UInt8]
    private(set) var offset = 0

    init(_ source: some Sequence<UInt8>) { bytes = Array(source) }

    /// The byte that is `distance` ahead, without taking it, or nil past the end.
    func peek(_ distance: Int = 0) -> UInt8? {
        offset + distance < bytes.count ? bytes[offset + distance] : nil
    }

    mutating func skip(_ count: Int = 1) { offset = min(offset + count, bytes.count) }

    /// Takes an ASCII text if it is next.
    mutating func take(_ text: StaticString) -> Bool {
        let matches = text.withUTF8Buffer { wanted in
            offset + wanted.count <= bytes.count && bytes[offset..<offset + wanted.count].elementsEqual(wanted)
        }
        if matches { offset += text.utf8CodeUnitCount }
        return matches
    }

    /// Takes a whole character, or nil at the end.
    mutating func scalar() -> UInt32? {
        guard offset < bytes.count else { return nil }
        return bytes.withUnsafeBufferPointer { UTF8Walk($0).next(&offset) }
    }

    /// Takes decimal digits, or nil if there are none; a number too large to count with becomes one that is enough.
    mutating func number() -> Int? {
        let start = offset
        var value = 0
        while let byte = peek(), byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") {
            value = min(value * 10 + Int(byte - UInt8(ascii: "0")), 1_000_000_000_000)
            offset += 1
        }
        return offset > start ? value : nil
    }

    /// Takes exactly `count` hexadecimal digits, or nothing and nil.
    mutating func hexadecimal(_ count: Int) -> UInt32? {
        var value: UInt32 = 0
        for distance in 0..<count {
            guard let byte = peek(distance), let digit = HexDigit.value(byte) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        offset += count
        return value
    }

    /// Goes back to a place that was read before.
    mutating func goBack(to offset: Int) { self.offset = offset }

    /// A fault at a place, by default the next byte.
    func issue(_ reason: String, at location: Int? = nil) -> PatternSyntaxError {
        PatternSyntaxError(offset: location ?? offset, reason: reason)
    }
}
