extension Sequence<UInt8> {
    /// Two digits per byte, in lower case.
    package var hexadecimal: String {
        withContiguousStorageIfAvailable { $0.digits } ?? Array(self).withUnsafeBufferPointer { $0.digits }
    }
}

extension UnsafeBufferPointer<UInt8> {
    fileprivate var digits: String {
        String(unsafeUninitializedCapacity: 2 * count) { text in
            func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 87 + value }
            for (index, byte) in enumerated() {
                text[2 * index] = digit(byte >> 4)
                text[2 * index + 1] = digit(byte & 15)
            }
            return 2 * count
        }
    }
}

extension [UInt8] {
    /// Parses two lowercase digits per byte.
    package init?(hexadecimal text: some StringProtocol) {
        let bytes = text.utf8.withContiguousStorageIfAvailable { Self(digits: $0) }
        guard let bytes = bytes ?? Array(text.utf8).withUnsafeBufferPointer({ Self(digits: $0) }) else { return nil }
        self = bytes
    }

    private init?(digits: UnsafeBufferPointer<UInt8>) {
        func value(_ digit: UInt8) -> UInt8 {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - 48
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - 87
            default: 16
            }
        }
        guard digits.count.isMultiple(of: 2) else { return nil }
        var isRead = true
        self.init(unsafeUninitializedCapacity: digits.count / 2) { bytes, count in
            count = digits.count / 2
            for index in 0..<count {
                let high = value(digits[2 * index])
                let low = value(digits[2 * index + 1])
                isRead = isRead && high < 16 && low < 16
                bytes[index] = high << 4 | low & 15
            }
        }
        guard isRead else { return nil }
    }
}
