/// The escapes of RFC 8259: only `"`, `\` and U+0000…U+001F need one.
@usableFromInline
enum Escapes {
    /// Copies text up to the first byte that needs an escape, sixteen bytes at a time, and returns the number of copied
    /// bytes. May overwrite the following bytes, up to `count`.
    @inlinable @inline(__always)
    static func copy(_ text: UnsafePointer<UInt8>, _ count: Int, to out: UnsafeMutablePointer<UInt8>) -> Int {
        let source = UnsafeRawPointer(text)
        let target = UnsafeMutableRawPointer(out)
        var index = 0
        if count >= 16 {
            // Copies the rest as part of the last sixteen bytes. The overlapping bytes were checked before and need no
            // escape.
            let last = count &- 16
            while true {
                let found = copyPair(source + index, to: target + index)
                if found < 16 { return index &+ found }
                if index == last { return count }
                index = min(index &+ 16, last)
            }
        }
        if count >= 8 {
            let first = copyWord(source, to: target)
            if first < 8 { return first }
            return count &- 8 &+ copyWord(source + (count &- 8), to: target + (count &- 8))
        }
        if count >= 4 {
            let first = source.loadUnaligned(as: UInt32.self)
            let last = source.loadUnaligned(fromByteOffset: count - 4, as: UInt32.self)
            target.storeBytes(of: first, as: UInt32.self)
            target.storeBytes(of: last, toByteOffset: count - 4, as: UInt32.self)
            let both = UInt64(UInt32(littleEndian: first)) | UInt64(UInt32(littleEndian: last)) << 32
            let found = position(marks(both))
            return found < 4 ? found : count &- 8 &+ found
        }
        while index < count {
            let byte = text[index]
            if byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { return index }
            out[index] = byte
            index &+= 1
        }
        return count
    }

    /// Whether a text needs no escape. Branch-free: for a literal, the compiler computes the result.
    @inlinable @inline(__always)
    static func isPlain(_ text: UnsafePointer<UInt8>, _ count: Int) -> Bool {
        var marks: UInt8 = 0
        var index = 0
        while index < count {
            let byte = text[index]
            marks |= ((byte &- 0x20) | ((byte ^ 0x22) &- 1) | ((byte ^ 0x5C) &- 1)) & ~byte
            index &+= 1
        }
        return marks < 0x80
    }

    /// Copies sixteen bytes, and returns the index of the first byte that needs an escape, or 16.
    @inlinable @inline(__always)
    static func copyPair(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) -> Int {
        let pair = source.loadUnaligned(as: SIMD2<UInt64>.self)
        target.storeBytes(of: pair, as: SIMD2<UInt64>.self)
        let control = pair &- SIMD2(repeating: 0x2020_2020_2020_2020)
        let quote = (pair ^ SIMD2(repeating: 0x2222_2222_2222_2222)) &- SIMD2(repeating: 0x0101_0101_0101_0101)
        let backslash = (pair ^ SIMD2(repeating: 0x5C5C_5C5C_5C5C_5C5C)) &- SIMD2(repeating: 0x0101_0101_0101_0101)
        let found = (control | quote | backslash) & ~pair & SIMD2(repeating: 0x8080_8080_8080_8080)
        if _fastPath(found.x | found.y == 0) { return 16 }
        let first = position(marks(UInt64(littleEndian: pair.x)))
        return first < 8 ? first : 8 &+ position(marks(UInt64(littleEndian: pair.y)))
    }

    /// Copies eight bytes, and returns the index of the first byte that needs an escape, or 8.
    @inlinable @inline(__always)
    static func copyWord(_ source: UnsafeRawPointer, to target: UnsafeMutableRawPointer) -> Int {
        let word = source.loadUnaligned(as: UInt64.self)
        target.storeBytes(of: word, as: UInt64.self)
        return position(marks(UInt64(littleEndian: word)))
    }

    /// Sets the high bit of each of eight bytes that needs an escape. Correct up to the first such byte.
    ///
    /// Each subtraction sets the high bit of a matching byte, or of a byte that had it already, which `~word` removes.
    /// A borrow only propagates past a matching byte.
    @inlinable @inline(__always)
    static func marks(_ word: UInt64) -> UInt64 {
        let control = word &- 0x2020_2020_2020_2020
        let quote = (word ^ 0x2222_2222_2222_2222) &- 0x0101_0101_0101_0101
        let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- 0x0101_0101_0101_0101
        return (control | quote | backslash) & ~word & 0x8080_8080_8080_8080
    }

    /// The index of the first marked byte, or 8.
    @inlinable @inline(__always)
    static func position(_ marks: UInt64) -> Int { _fastPath(marks == 0) ? 8 : marks.trailingZeroBitCount >> 3 }

    @inline(__always)
    static func length(of byte: UInt8) -> Int { short(byte) == 0 ? 6 : 2 }

    static func write(_ byte: UInt8, to out: UnsafeMutablePointer<UInt8>) {
        out[0] = UInt8(ascii: "\\")
        let letter = short(byte)
        guard letter == 0 else {
            out[1] = letter
            return
        }
        out[1] = UInt8(ascii: "u")
        out[2] = UInt8(ascii: "0")
        out[3] = UInt8(ascii: "0")
        out[4] = byte < 0x10 ? UInt8(ascii: "0") : UInt8(ascii: "1")
        let low = byte & 0x0F
        out[5] = low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10
    }

    /// The character after the backslash of a short escape, or 0.
    private static func short(_ byte: UInt8) -> UInt8 {
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): byte
        case 0x08: UInt8(ascii: "b")
        case 0x09: UInt8(ascii: "t")
        case 0x0A: UInt8(ascii: "n")
        case 0x0C: UInt8(ascii: "f")
        case 0x0D: UInt8(ascii: "r")
        default: 0
        }
    }
}
