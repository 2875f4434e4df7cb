/// Names of hosts (RFC 1123, section 2.1): labels of letters, digits and inner hyphens.
enum HostName {
    /// Whether a text is a name of at most 253 bytes, each label at most 63, without a dot at the end.
    ///
    /// A label that starts with `xn--` has to be Punycode of a label that is not ASCII (RFC 5890, section 2.3.2.1).
    static func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        guard !text.isEmpty, text.count <= 253 else { return false }
        var start = 0
        for place in 0..<text.count where text[place] == UInt8(ascii: ".") {
            guard isLabel(text, start, place) else { return false }
            start = place &+ 1
        }
        return isLabel(text, start, text.count)
    }

    private static func isLabel(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ end: Int) -> Bool {
        guard start < end, end &- start <= 63 else { return false }
        guard text[start] != UInt8(ascii: "-"), text[end &- 1] != UInt8(ascii: "-") else { return false }
        for place in start..<end where !ASCII.isLetterOrDigit(text[place]) && text[place] != UInt8(ascii: "-") {
            return false
        }
        guard end &- start >= 4, text[start &+ 2] == UInt8(ascii: "-"), text[start &+ 3] == UInt8(ascii: "-"),
            text[start] | 0x20 == UInt8(ascii: "x"), text[start &+ 1] | 0x20 == UInt8(ascii: "n")
        else { return true }
        return Punycode.isInternationalLabel(text.part(start &+ 4, end))
    }
}
