/// Decimal digits, two at a time.
enum Decimals {
    private static let pairs: StaticString = """
        00010203040506070809101112131415161718192021222324252627282930313233343536373839\
        40414243444546474849505152535455565758596061626364656667686970717273747576777879\
        8081828384858687888990919293949596979899
        """

    @inline(__always)
    static func count(_ value: UInt64) -> Int {
        var rest = value
        var count = 1
        while rest >= 10_000 {
            rest /= 10_000
            count += 4
        }
        return count + (rest >= 10 ? 1 : 0) + (rest >= 100 ? 1 : 0) + (rest >= 1000 ? 1 : 0)
    }

    @inline(__always)
    static func write(_ value: UInt64, endingAt end: UnsafeMutablePointer<UInt8>) {
        var rest = value
        var out = end
        while rest >= 10_000 {
            let (quotient, four) = rest.quotientAndRemainder(dividingBy: 10_000)
            rest = quotient
            out -= 4
            pair(UInt32(truncatingIfNeeded: four) / 100, to: out)
            pair(UInt32(truncatingIfNeeded: four) % 100, to: out + 2)
        }
        var four = UInt32(truncatingIfNeeded: rest)
        if four >= 100 {
            out -= 2
            pair(four % 100, to: out)
            four /= 100
        }
        if four >= 10 {
            pair(four, to: out - 2)
        } else {
            out[-1] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: four)
        }
    }

    /// Exactly six digits, with leading zeros, in the six lowest bytes. The first digit is in the lowest byte.
    @inline(__always)
    static func six(_ value: UInt32) -> UInt64 {
        // Groups of three digits, each spread to bytes. The first digit is in the lowest byte.
        func three(_ value: UInt32) -> UInt64 {
            let first = value / 100
            let rest = value % 100
            return UInt64(first) | UInt64(rest / 10) << 8 | UInt64(rest % 10) << 16
        }
        return (three(value / 1000) | three(value % 1000) << 24) &+ 0x3030_3030_3030
    }

    @inline(__always)
    private static func pair(_ value: UInt32, to out: UnsafeMutablePointer<UInt8>) {
        out.update(from: pairs.utf8Start + 2 * Int(value), count: 2)
    }
}
