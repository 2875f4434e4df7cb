/// A set of bytes.
struct ByteSet: Hashable, Sendable {
    private var words: SIMD4<UInt64> = .zero

    init() {}

    init(_ range: ClosedRange<UInt8>) { for byte in range { insert(byte) } }

    func contains(_ byte: UInt8) -> Bool { words[Int(byte >> 6)] >> UInt64(byte & 63) & 1 == 1 }

    mutating func insert(_ byte: UInt8) { words[Int(byte >> 6)] |= 1 << UInt64(byte & 63) }

    mutating func formUnion(_ other: ByteSet) { words |= other.words }

    func union(_ other: ByteSet) -> ByteSet {
        var union = self
        union.formUnion(other)
        return union
    }

    /// The ASCII characters that are not in it.
    var otherASCII: ByteSet {
        var others = ByteSet()
        for byte in 0...UInt8(0x7F) where !contains(byte) { others.insert(byte) }
        return others
    }
}
