internal import Primitives

extension RangeHash {
    /// A line's summand of the hash of its range: the first eight bytes, little-endian, of its SHA-256.
    ///
    /// - Parameter line: The exact bytes without the line feed.
    package static func summand(_ line: UnsafeRawBufferPointer) -> UInt64 {
        let digest = SHA256.digest(line.bindMemory(to: UInt8.self))
        // The digest's words are big-endian.
        return UInt64(digest[0].byteSwapped) | UInt64(digest[1].byteSwapped) << 32
    }

    /// The hash of lines, in any order.
    package init(seqs: ClosedRange<Int64>, lines: some Sequence<[UInt8]>) {
        self.init(seqs: seqs, hash: lines.reduce(0) { $0 &+ $1.withUnsafeBytes(Self.summand) })
    }
}
