/// Reads characters out of UTF-8 that is known to be valid, in both directions.
///
/// It reads no byte outside of the text even if the text is not valid; what it reads is then not a character.
struct UTF8Walk {
    let text: UnsafeBufferPointer<UInt8>

    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// The character at an offset below the end, which moves behind it.
    @inline(__always)
    func next(_ offset: inout Int) -> UInt32 {
        let lead = UInt32(text[offset])
        offset += 1
        if lead < 0x80 { return lead }
        let extra = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1
        var value = lead & (0x3F >> UInt32(extra))
        let end = min(offset + extra, text.count)
        while offset < end {
            value = value << 6 | UInt32(text[offset] & 0x3F)
            offset += 1
        }
        return value
    }

    /// The character before an offset above 0, which moves in front of it.
    @inline(__always)
    func previous(_ offset: inout Int) -> UInt32 {
        offset -= 1
        while offset > 0, text[offset] & 0xC0 == 0x80 { offset -= 1 }
        var end = offset
        return next(&end)
    }
}

/// What a place in a text has on one side.
enum TextEdge: UInt8 {
    /// The text's start or end.
    case boundary
    /// A letter, a digit or an underscore of ASCII.
    case word
    case other

    @inline(__always)
    init(_ scalar: UInt32) {
        let isLetter = scalar | 0x20 >= 0x61 && scalar | 0x20 <= 0x7A
        self = isLetter || scalar >= 0x30 && scalar <= 0x39 || scalar == 0x5F ? .word : .other
    }
}
