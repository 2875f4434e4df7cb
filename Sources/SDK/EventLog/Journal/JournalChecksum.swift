/// The checksum of a journal record: 64 bits over whole 64-bit words, four lanes at a time.
///
/// Every step is a bijection of the word it takes in, so a change within one word is always noticed, and any other
/// but once in 2^64.
enum JournalChecksum {
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15  // 2^64 divided by the golden ratio, odd

    /// The checksum of `count` bytes, a multiple of eight, from an address that is one, too.
    static func of(_ bytes: UnsafeRawPointer, count: Int) -> UInt64 {
        // The first digits of pi: lanes that start apart.
        var a: UInt64 = 0x243F_6A88_85A3_08D3
        var b: UInt64 = 0x1319_8A2E_0370_7344
        var c: UInt64 = 0xA409_3822_299F_31D0
        var d: UInt64 = 0x082E_FA98_EC4E_6C89
        var offset = 0
        while offset + 32 <= count {
            a = mixed(a ^ bytes.load(fromByteOffset: offset, as: UInt64.self))
            b = mixed(b ^ bytes.load(fromByteOffset: offset + 8, as: UInt64.self))
            c = mixed(c ^ bytes.load(fromByteOffset: offset + 16, as: UInt64.self))
            d = mixed(d ^ bytes.load(fromByteOffset: offset + 24, as: UInt64.self))
            offset += 32
        }
        while offset + 8 <= count {
            a = mixed(a ^ bytes.load(fromByteOffset: offset, as: UInt64.self))
            offset += 8
        }
        return mixed(mixed(mixed(mixed(UInt64(truncatingIfNeeded: count) ^ a) ^ b) ^ c) ^ d)
    }

    @inline(__always)
    private static func mixed(_ value: UInt64) -> UInt64 {
        let product = value &* factor
        return product ^ product >> 32
    }
}
