/// The constant part at the start of a journal's files: mark, version, length, a text, and a checksum over them.
///
/// | offset | bytes | content |
/// |---|---|---|
/// | 0 | 8 | mark |
/// | 8 | 8 | version |
/// | 16 | 8 | length of the file |
/// | 24 | 8 | length of the text |
/// | 32 | 8 | checksum of the other words, and of the text with the zeros after it |
/// | 40 | | text |
package struct HeaderIdentity {
    package let version: UInt32
    let fileSize: UInt64
    package let text: String

    package enum Issue: Error { case damaged }

    static func write(
        mark: UInt64, version: UInt32, fileSize: Int, text: String, to base: UnsafeMutableRawPointer, capacity: Int
    ) {
        let utf8 = Array(text.utf8.prefix(capacity - 40))
        base.storeBytes(of: UInt64(version), toByteOffset: 8, as: UInt64.self)
        base.storeBytes(of: UInt64(fileSize), toByteOffset: 16, as: UInt64.self)
        base.storeBytes(of: UInt64(utf8.count), toByteOffset: 24, as: UInt64.self)
        UnsafeMutableRawBufferPointer(start: base + 40, count: capacity - 40).copyBytes(
            from: utf8 + Array(repeating: 0, count: capacity - 40 - utf8.count))
        base.storeBytes(of: checksum(mark, base, capacity: capacity), toByteOffset: 32, as: UInt64.self)
        // Last, so that a process that is killed earlier has written no valid header.
        SharedWord(base, offset: 0).publish(mark)
    }

    static func read(mark: UInt64, from base: UnsafeRawPointer, capacity: Int) -> Result<HeaderIdentity, Issue> {
        let length = base.load(fromByteOffset: 24, as: UInt64.self)
        guard base.load(as: UInt64.self) == mark, length <= UInt64(capacity - 40),
            base.load(fromByteOffset: 32, as: UInt64.self) == checksum(mark, base, capacity: capacity)
        else { return .failure(.damaged) }
        return .success(
            HeaderIdentity(
                version: UInt32(truncatingIfNeeded: base.load(fromByteOffset: 8, as: UInt64.self)),
                fileSize: base.load(fromByteOffset: 16, as: UInt64.self),
                text: String(decoding: UnsafeRawBufferPointer(start: base + 40, count: Int(length)), as: UTF8.self)))
    }

    private static func checksum(_ mark: UInt64, _ base: UnsafeRawPointer, capacity: Int) -> UInt64 {
        let text = JournalChecksum.of(base + 40, count: (capacity - 40) & ~7)
        return withUnsafeTemporaryAllocation(of: UInt64.self, capacity: 5) { words in
            words[0] = mark
            for index in 1..<4 { words[index] = base.load(fromByteOffset: 8 * index, as: UInt64.self) }
            words[4] = text
            guard let start = words.baseAddress else { return text }
            return JournalChecksum.of(UnsafeRawPointer(start), count: 40)
        }
    }
}
