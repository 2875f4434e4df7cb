/// Hexadecimal digits.
package enum HexDigit {
    /// The value of a digit, of either case.
    @inline(__always)
    package static func value(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}
