/// The numbers that every reader of JSON keeps (RFC 7493, section 2.2).
enum InteroperableNumber {
    /// The largest integer that a double keeps together with all below it: 2^53 − 1.
    static let maximumInteger: Int64 = (1 << 53) - 1

    /// Whether a number is one: no integer beyond ±(2^53 − 1), nothing that overflows a double.
    @inline(__always)
    static func holds(_ span: JSONCursor.NumberSpan) -> Bool {
        if span.isWhole {
            guard let integer = span.integer else { return false }
            return integer.magnitude <= UInt64(maximumInteger)
        }
        return !span.hasExponent && span.count < 300 || isFinite(span)
    }

    @inline(never)
    private static func isFinite(_ span: JSONCursor.NumberSpan) -> Bool {
        let number = ExactNumber(span.buffer)
        guard !number.isZero, number.highest >= 308 else { return true }
        guard number.highest == 308 else { return false }
        // Half way between the largest double and the next that there would be.
        let limit: StaticString = "1797693134862315807e290"
        let magnitude = number.isNegative ? UnsafeBufferPointer(rebasing: span.buffer.dropFirst()) : span.buffer
        return ExactNumber(magnitude).compare(
            ExactNumber(UnsafeBufferPointer(start: limit.utf8Start, count: limit.utf8CodeUnitCount))) < 0
    }
}
