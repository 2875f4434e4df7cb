/// Takes digits and signs off the start of a text.
struct DigitReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var offset = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { offset == text.count }

    /// Takes one sign, if it comes next.
    mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard !isAtEnd, text[offset] == UInt8(ascii: sign) else { return false }
        offset += 1
        return true
    }

    /// Takes a number of exactly so many digits, at most 18.
    mutating func number(ofDigits count: Int) -> Int64? {
        var value: Int64 = 0
        for _ in 0..<count {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    /// Takes a number of one digit at least and so many at most, no more than 18.
    mutating func number(upToDigits count: Int) -> Int64? {
        guard var value = digit() else { return nil }
        for _ in 1..<count {
            guard let digit = digit() else { break }
            value = value * 10 + digit
        }
        return value
    }

    /// Takes a point and one to six decimals, and gives millionths; 0 if no point comes next, nil if no digit follows
    /// it.
    mutating func millionths() -> Int64? {
        guard take(".") else { return 0 }
        guard var value = digit().map({ $0 * 100_000 }) else { return nil }
        for unit in [10_000, 1000, 100, 10, 1] as [Int64] {
            guard let digit = digit() else { break }
            value += digit * unit
        }
        return value
    }

    private mutating func digit() -> Int64? {
        guard !isAtEnd else { return nil }
        let value = text[offset] &- UInt8(ascii: "0")
        guard value < 10 else { return nil }
        offset += 1
        return Int64(value)
    }
}
