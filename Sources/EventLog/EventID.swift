/// The identity of an event, minted once: a UUIDv7 (RFC 9562), so that ids sort by time.
///
/// It survives crash, retry, export and replay; a receiver drops doubles by it.
public struct EventID: Hashable, Comparable, Sendable {
    /// The first eight bytes: 48 bits of milliseconds since 1970, version, twelve bits of counter or chance.
    public let high: UInt64
    /// The last eight bytes: variant and 62 bits of chance.
    public let low: UInt64

    /// Makes an id of its two halves as they are.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Makes a UUIDv7 of a time and chance; version and variant bits are set here.
    ///
    /// - Parameters:
    ///   - milliseconds: Since 1970; the lowest 48 bits count.
    ///   - counter: The twelve bits after the version; the lowest twelve count.
    ///   - random: The lowest 62 bits count.
    public init(milliseconds: UInt64, counter: UInt16, random: UInt64) {
        high = milliseconds << 16 | 0x7000 | UInt64(counter & 0x0FFF)
        low = 0x8000_0000_0000_0000 | random >> 2
    }

    /// Reads the 36 characters of a UUID in either case, or gives nil.
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

    /// The 36 characters in lower case, as ASCII.
    public var text: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for (position, byte) in bytes.enumerated() {
            if position == 4 || position == 6 || position == 8 || position == 10 { text.append(UInt8(ascii: "-")) }
            for digit in [byte >> 4, byte & 0x0F] {
                text.append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
        return text
    }

    /// The sixteen bytes, most significant first.
    public var bytes: [UInt8] {
        [high, low].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
    }

    /// Orders by bytes, which for UUIDv7 is the order of minting.
    public static func < (left: Self, right: Self) -> Bool {
        (left.high, left.low) < (right.high, right.low)
    }
}

extension EventID: CustomStringConvertible {
    /// The 36 characters in lower case.
    public var description: String { String(decoding: text, as: UTF8.self) }

    /// Reads the 36 characters of a UUID in either case, or gives nil.
    public init?(_ text: String) { self.init(Array(text.utf8)) }
}
