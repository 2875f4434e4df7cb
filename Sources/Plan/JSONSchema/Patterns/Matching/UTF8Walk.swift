/// Reads characters from valid UTF-8, in both directions.
///
/// It never reads outside the text. If the text is not valid, it may return values that are not characters.
struct UTF8Walk {
    let text: UnsafeBufferPointer<UInt8>

    @inline(__always)
    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    /// Returns the character at an offset below the end, and moves the offset after it.
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

    /// Returns the character before an offset above 0, and moves the offset before it.
    @inline(__always)
    func previous(_ offset: inout Int) -> UInt32 {
        offset -= 1
        while offset > 0, text[offset] & 0xC0 == 0x80 { offset -= 1 }
        var end = offset
        return next(&end)
    }
}

/// The neighbor of an offset on one side.
enum TextEdge: UInt8 {
    /// The start or end of the text.
    case boundary
    /// An ASCII letter, digit or underscore.
    case word
    case other

    @inline(__always)
    init(_ scalar: UInt32) {
        let isLetter = scalar | 0x20 >= 0x61 && scalar | 0x20 <= 0x7A
        self = isLetter || scalar >= 0x30 && scalar <= 0x39 || scalar == 0x5F ? .word : .other
    }
}
