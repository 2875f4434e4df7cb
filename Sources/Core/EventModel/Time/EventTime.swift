/// A point in time, in whole microseconds since 1970-01-01T00:00:00Z. Exact: never a floating-point number.
public struct EventTime: Hashable, Comparable, Sendable {
    /// Microseconds since 1970; negative before.
    public var microseconds: Int64

    /// Makes a time of microseconds since 1970.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Makes a time of whole seconds since 1970; past the ends of the range, the time at that end.
    public init(seconds: Int64) { self = EventTime(microseconds: 0).advanced(by: .seconds(seconds)) }

    /// Makes a time of whole seconds since 1970; past the ends of the range, the first or the last time that there is.
    package init(clampedSeconds seconds: Int64) {
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflows ? (seconds < 0 ? .min : .max) : product
    }

    /// The milliseconds since 1970, as UUIDv7 wants them; 0 for times before 1970.
    public var milliseconds: UInt64 { microseconds > 0 ? UInt64(microseconds) / 1000 : 0 }

    /// Orders by time.
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// This time and `duration` more; at the ends of the range it stays there.
    public func advanced(by duration: Duration) -> Self {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return Self(microseconds: seconds < 0 ? .min : .max) }
        let (sum, overflows) = microseconds.addingReportingOverflow(product &+ attoseconds / 1_000_000_000_000)
        return overflows ? Self(microseconds: seconds < 0 ? .min : .max) : Self(microseconds: sum)
    }

    /// How long after `other` this time is; negative if before.
    public func duration(since other: Self) -> Duration {
        .microseconds(microseconds.subtractingReportingOverflow(other.microseconds).partialValue)
    }
}

extension EventTime {
    /// Reads seconds since 1970 with at most six decimals, or gives nil.
    package init?(secondsSince1970 text: String) {
        guard let time = Array(text.utf8).withUnsafeBufferPointer({ Self(secondsSince1970: $0) }) else { return nil }
        self = time
    }

    /// Reads seconds since 1970, at most twelve digits with at most six decimals, or gives nil.
    package init?(secondsSince1970 text: UnsafeBufferPointer<UInt8>) {
        var digits = DigitReader(text)
        let isNegative = digits.take("-")
        guard let seconds = digits.number(upToDigits: 12), let fraction = digits.millionths(), digits.isAtEnd
        else { return nil }
        let magnitude = seconds * 1_000_000 + fraction
        self.init(microseconds: isNegative ? -magnitude : magnitude)
    }
}

/// Takes digits and signs off the start of a text.
private struct DigitReader {
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
