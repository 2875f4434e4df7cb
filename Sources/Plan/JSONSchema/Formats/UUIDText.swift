/// The text of a UUID of any version (RFC 4122, section 3): `8-4-4-4-12` hexadecimal digits of either case.
enum UUIDText {
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard text.count == 36 else { return false }
        // The bytes of a word are numbered from the lowest. The hyphens are at 8, 13, 18 and 23: bytes 0 and 5 of
        // the second word, 2 and 7 of the third. The last two words share four bytes.
        let second = text.word(at: 8)
        let third = text.word(at: 16)
        let hyphens =
            (second ^ 0x0000_2D00_0000_002D) & 0x0000_FF00_0000_00FF
            | (third ^ 0x2D00_0000_002D_0000) & 0xFF00_0000_00FF_0000
        // A hyphen becomes a zero, so that all bytes of a word are digits.
        let faults =
            faultsOfHexDigits(text.word(at: 0)) | faultsOfHexDigits(second ^ 0x0000_1D00_0000_001D)
            | faultsOfHexDigits(third ^ 0x1D00_0000_001D_0000) | faultsOfHexDigits(text.word(at: 24))
            | faultsOfHexDigits(text.word(at: 28))
        return hyphens | faults == 0
    }

    /// Sets the highest bit of a byte that is no hexadecimal digit; what it says of the bytes above one with its
    /// highest bit set is of no use, and that one is a fault.
    @inline(__always)
    private static func faultsOfHexDigits(_ word: UInt64) -> UInt64 {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let low = word & (0x7F &* ones)
        let letter = low | (0x20 &* ones)
        // Adding carries into the highest bit from a bound on.
        let digits = (low &+ (0x80 - 0x30) &* ones) & ~(low &+ (0x80 - 0x3A) &* ones)
        let letters = (letter &+ (0x80 - 0x61) &* ones) & ~(letter &+ (0x80 - 0x67) &* ones)
        return (~(digits | letters) | word) & (0x80 &* ones)
    }
}
