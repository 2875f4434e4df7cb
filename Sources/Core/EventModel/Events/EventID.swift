/// The identity of an event, created once: a UUIDv7 (RFC 9562), so that ids sort by time.
///
/// The id survives crashes, retries, exports and replays unchanged. Receivers use it to remove duplicates.
public struct EventID: Hashable, Comparable, Sendable {
    /// The first eight bytes: 48 bits of milliseconds since 1970, version, then a twelve-bit counter or twelve random
    /// bits.
    public let high: UInt64
    /// The last eight bytes: variant and 62 random bits.
    public let low: UInt64

    /// Makes an id from its halves, unchanged.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a UUIDv7 from a time and random bits. Sets the version and variant bits.
    ///
    /// - Parameters:
    ///   - milliseconds: Milliseconds since 1970. Only the lowest 48 bits are used.
    ///   - counter: The twelve bits after the version. Only the lowest twelve bits are used.
    ///   - random: The random bits. Only the lowest 62 bits are used.
    public init(milliseconds: UInt64, counter: UInt16, random: UInt64) {
        high = milliseconds << 16 | 0x7000 | UInt64(counter & 0x0FFF)
        low = 0x8000_0000_0000_0000 | random >> 2
    }

    /// Parses the 36 characters of a UUID in either case; nil for any other text.
    public init?(_ text: some Collection<UInt8>) {
        guard text.count == 36 else { return nil }
        var halves: (UInt64, UInt64) = (0, 0)
        var digits = 0
        for (position, byte) in text.enumerated() {
            if position == 8 || position == 13 || position == 18 || position == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            let digit: UInt64
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt64(byte - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt64(byte - UInt8(ascii: "a") + 10)
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = UInt64(byte - UInt8(ascii: "A") + 10)
            default: return nil
            }
            if digits < 16 { halves.0 = halves.0 << 4 | digit } else { halves.1 = halves.1 << 4 | digit }
            digits += 1
        }
        self.init(high: halves.0, low: halves.1)
    }

    /// The length of the text: 36 ASCII characters.
    package static let textLength = 36

    /// The 36 characters in lower case, as ASCII.
    public var text: [UInt8] {
        Array(unsafeUninitializedCapacity: Self.textLength) { buffer, count in
            count = writeText(to: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Writes the 36 characters in lower case to the start of a buffer, without allocations.
    ///
    /// - Returns: The number of bytes written: 36, or 0 if the buffer is shorter.
    @discardableResult
    package func writeText(to buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard buffer.count >= Self.textLength, let out = buffer.baseAddress else { return 0 }
        let first = Self.digits(high >> 32)
        let second = Self.digits(high)
        let third = Self.digits(low >> 32)
        let fourth = Self.digits(low)
        let hyphen = UInt8(ascii: "-")
        Self.store(first, to: out)
        out.storeBytes(of: hyphen, toByteOffset: 8, as: UInt8.self)
        out.storeBytes(of: UInt32(truncatingIfNeeded: second).littleEndian, toByteOffset: 9, as: UInt32.self)
        out.storeBytes(of: hyphen, toByteOffset: 13, as: UInt8.self)
        out.storeBytes(of: UInt32(truncatingIfNeeded: second >> 32).littleEndian, toByteOffset: 14, as: UInt32.self)
        out.storeBytes(of: hyphen, toByteOffset: 18, as: UInt8.self)
        out.storeBytes(of: UInt32(truncatingIfNeeded: third).littleEndian, toByteOffset: 19, as: UInt32.self)
        out.storeBytes(of: hyphen, toByteOffset: 23, as: UInt8.self)
        out.storeBytes(of: UInt32(truncatingIfNeeded: third >> 32).littleEndian, toByteOffset: 24, as: UInt32.self)
        Self.store(fourth, to: out + 28)
        return Self.textLength
    }

    private static func store(_ digits: UInt64, to out: UnsafeMutableRawPointer) {
        out.storeBytes(of: digits.littleEndian, as: UInt64.self)
    }

    /// The eight hexadecimal digits of the lowest 32 bits. The first digit is in the lowest byte.
    private static func digits(_ value: UInt64) -> UInt64 {
        // Each step doubles the distance of the parts, until each nibble has its own byte.
        var spread = value & 0xFFFF_FFFF
        spread = (spread << 16 | spread) & 0x0000_FFFF_0000_FFFF
        spread = (spread << 8 | spread) & 0x00FF_00FF_00FF_00FF
        spread = (spread << 4 | spread) & 0x0F0F_0F0F_0F0F_0F0F
        // Adding six carries a nibble past 15 if it is a letter.
        let letters = (spread &+ 0x0606_0606_0606_0606) >> 4 & 0x0101_0101_0101_0101
        return (spread &+ 0x3030_3030_3030_3030 &+ letters &* 39).byteSwapped
    }

    /// The sixteen bytes, most significant first.
    public var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    /// Compares the bytes, which for UUIDv7 gives the order of creation.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension EventID: CustomStringConvertible {
    /// The 36 characters in lower case.
    public var description: String { String(decoding: text, as: UTF8.self) }

    /// Parses the 36 characters of a UUID in either case; nil for any other text.
    public init?(_ text: String) { self.init(Array(text.utf8)) }
}
