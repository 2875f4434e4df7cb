/// The integers that every reader of JSON keeps exactly (RFC 7493, section 2.2).
enum SafeInteger {
    static let maximum: Int64 = (1 << 53) - 1

    /// Whether a number without fraction and exponent is one.
    @inline(__always)
    static func isSafe(_ span: JSONCursor.NumberSpan) -> Bool {
        guard let integer = span.integer else { return false }
        return integer.magnitude <= UInt64(maximum)
    }
}
