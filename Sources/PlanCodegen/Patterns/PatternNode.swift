/// What a pattern consists of, over the bytes of UTF-8.
indirect enum PatternNode: Sendable {
    case byte(ByteSet)
    case sequence([PatternNode])
    case choice([PatternNode])
    /// Without an upper bound if `most` is nil.
    case repeated(PatternNode, least: Int, most: Int?)

    private static let continuation = ByteSet(0x80...0xBF)

    /// Any character past ASCII. Texts are UTF-8, so leading and following bytes fit.
    static let beyondASCII = PatternNode.choice([
        .sequence([.byte(ByteSet(0xC2...0xDF)), .byte(continuation)]),
        .sequence([.byte(ByteSet(0xE0...0xEF)), .byte(continuation), .byte(continuation)]),
        .sequence([
            .byte(ByteSet(0xF0...0xF4)), .byte(continuation), .byte(continuation), .byte(continuation),
        ]),
    ])

    /// Any character past ASCII but the two line ends that stand there: U+2028 (E2 80 A8) and U+2029 (E2 80 A9).
    static let beyondASCIIInLine = PatternNode.choice([
        .sequence([.byte(ByteSet(0xC2...0xDF)), .byte(continuation)]),
        .sequence([
            .byte(ByteSet(0xE0...0xE1).union(ByteSet(0xE3...0xEF))), .byte(continuation), .byte(continuation),
        ]),
        .sequence([.byte(ByteSet(0xE2...0xE2)), .byte(ByteSet(0x81...0xBF)), .byte(continuation)]),
        .sequence([
            .byte(ByteSet(0xE2...0xE2)), .byte(ByteSet(0x80...0x80)),
            .byte(ByteSet(0x80...0xA7).union(ByteSet(0xAA...0xBF))),
        ]),
        .sequence([
            .byte(ByteSet(0xF0...0xF4)), .byte(continuation), .byte(continuation), .byte(continuation),
        ]),
    ])

    /// One character.
    static func literal(_ scalar: Unicode.Scalar) -> PatternNode {
        .sequence(Array(String(scalar).utf8).map { .byte(ByteSet($0...$0)) })
    }
}
