#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Glibc)
    internal import Glibc
#elseif canImport(Musl)
    internal import Musl
#elseif canImport(Android)
    internal import Android
#endif

/// Comparisons of byte ranges.
package enum Bytes {
    /// Returns whether two ranges hold the same bytes.
    @inline(__always)
    package static func areEqual(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Bool {
        guard left.count == right.count else { return false }
        guard let first = left.baseAddress, let second = right.baseAddress else { return left.isEmpty }
        return memcmp(first, second, left.count) == 0
    }

    /// Compares two ranges byte by byte; returns a negative number, zero or a positive number.
    static func order(_ left: UnsafeBufferPointer<UInt8>, _ right: UnsafeBufferPointer<UInt8>) -> Int {
        if let first = left.baseAddress, let second = right.baseAddress {
            let order = memcmp(first, second, min(left.count, right.count))
            if order != 0 { return Int(order) }
        }
        return left.count - right.count
    }
}

/// Hexadecimal digits.
package enum HexDigit {
    /// Returns the value of a digit of either case.
    @inline(__always)
    package static func value(_ byte: UInt8) -> UInt8? {
        let digit = byte &- UInt8(ascii: "0")
        if digit < 10 { return digit }
        let letter = (byte | 0x20) &- UInt8(ascii: "a")
        return letter < 6 ? letter + 10 : nil
    }
}

/// Resolves the escapes of valid JSON strings.
enum Unescape {
    /// Calls `body` with the unescaped bytes, which are on the stack if they fit.
    static func withBytes<Result>(
        _ text: UnsafeBufferPointer<UInt8>, _ body: (UnsafeBufferPointer<UInt8>) throws -> Result
    ) rethrows -> Result {
        // An escape is never shorter than its result.
        try withUnsafeTemporaryAllocation(of: UInt8.self, capacity: max(text.count, 1)) { room in
            let count = resolve(text, into: room.baseAddress.unsafelyUnwrapped)
            return try body(UnsafeBufferPointer(start: UnsafePointer(room.baseAddress), count: count))
        }
    }

    private static func resolve(
        _ text: UnsafeBufferPointer<UInt8>, into room: UnsafeMutablePointer<UInt8>
    ) -> Int {
        var read = 0
        var written = 0
        func put(_ byte: UInt8) {
            room[written] = byte
            written += 1
        }
        while read < text.count {
            guard text[read] == UInt8(ascii: "\\") else {
                put(text[read])
                read += 1
                continue
            }
            let letter = text[read + 1]
            read += 2
            switch letter {
            case UInt8(ascii: "b"): put(0x08)
            case UInt8(ascii: "f"): put(0x0C)
            case UInt8(ascii: "n"): put(0x0A)
            case UInt8(ascii: "r"): put(0x0D)
            case UInt8(ascii: "t"): put(0x09)
            case UInt8(ascii: "u"):
                var scalar = codeUnit(text, read)
                read += 4
                if scalar & 0xFC00 == 0xD800 {
                    scalar = 0x10000 + (scalar - 0xD800) << 10 + (codeUnit(text, read + 2) - 0xDC00)
                    read += 6
                }
                switch scalar {
                case 0..<0x80: put(UInt8(scalar))
                case 0x80..<0x800:
                    put(UInt8(0xC0 | scalar >> 6))
                    put(UInt8(0x80 | scalar & 0x3F))
                case 0x800..<0x10000:
                    put(UInt8(0xE0 | scalar >> 12))
                    put(UInt8(0x80 | scalar >> 6 & 0x3F))
                    put(UInt8(0x80 | scalar & 0x3F))
                default:
                    put(UInt8(0xF0 | scalar >> 18))
                    put(UInt8(0x80 | scalar >> 12 & 0x3F))
                    put(UInt8(0x80 | scalar >> 6 & 0x3F))
                    put(UInt8(0x80 | scalar & 0x3F))
                }
            default: put(letter)
            }
        }
        return written
    }

    private static func codeUnit(_ text: UnsafeBufferPointer<UInt8>, _ index: Int) -> UInt32 {
        var value: UInt32 = 0
        for location in index..<index + 4 { value = value << 4 | UInt32(HexDigit.value(text[location]) ?? 0) }
        return value
    }
}
