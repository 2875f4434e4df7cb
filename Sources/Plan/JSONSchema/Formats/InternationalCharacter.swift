/// The characters beyond ASCII that IRIs may have (RFC 3987, section 2.2).
enum InternationalCharacter {
    /// The length of `ucschar` that starts at `place`, of `iprivate` too where asked for; nil for anything else.
    static func length(_ text: UnsafeBufferPointer<UInt8>, _ place: Int, withPrivate: Bool) -> Int? {
        let lead = text[place]
        let length = lead < 0xC2 ? 0 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : lead < 0xF5 ? 4 : 0
        guard length > 0, place + length <= text.count else { return nil }
        var scalar = UInt32(lead) & (0x7F >> UInt32(length))
        for next in place + 1..<place + length {
            guard text[next] & 0xC0 == 0x80 else { return nil }
            scalar = scalar << 6 | UInt32(text[next] & 0x3F)
        }
        return isUniversal(scalar) || withPrivate && isPrivate(scalar) ? length : nil
    }

    private static func isUniversal(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xA0...0xD7FF, 0xF900...0xFDCF, 0xFDF0...0xFFEF: true
        case 0xE0000...0xE0FFF: false
        // From plane 1 to 14, without the last two of each.
        case 0x10000...0xEFFFD: scalar & 0xFFFE != 0xFFFE
        default: false
        }
    }

    private static func isPrivate(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0xE000...0xF8FF, 0xF0000...0xFFFFD, 0x100000...0x10FFFD: true
        default: false
        }
    }
}
