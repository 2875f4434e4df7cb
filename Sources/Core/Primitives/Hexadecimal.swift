extension Sequence<UInt8> {
    /// Two digits a byte, in lower case.
    package var hexadecimal: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(2 * underestimatedCount)
        for byte in self {
            for value in [byte >> 4, byte & 15] { digits.append(value < 10 ? 48 + value : 87 + value) }
        }
        return String(decoding: digits, as: UTF8.self)
    }
}

extension [UInt8] {
    /// Reads two digits a byte, in lower case.
    package init?(hexadecimal text: some StringProtocol) {
        var bytes: [UInt8] = []
        var high: UInt8?
        for digit in text.utf8 {
            let value: UInt8
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): value = digit - 48
            case UInt8(ascii: "a")...UInt8(ascii: "f"): value = digit - 87
            default: return nil
            }
            if let first = high {
                bytes.append(first << 4 | value)
                high = nil
            } else {
                high = value
            }
        }
        guard high == nil else { return nil }
        self = bytes
    }
}
