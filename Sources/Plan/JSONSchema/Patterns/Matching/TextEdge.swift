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
