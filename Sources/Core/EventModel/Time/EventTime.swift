internal import Foundation

/// A point in time, in whole microseconds since 1970-01-01T00:00:00Z. Exact: not a floating-point number.
public struct EventTime: Hashable, Comparable, Sendable {
    /// Microseconds since 1970; negative for earlier times.
    public var microseconds: Int64

    /// Makes a time from microseconds since 1970.
    public init(microseconds: Int64) { self.microseconds = microseconds }

    /// Makes a time from whole seconds since 1970. Values out of range become the nearest valid time.
    public init(seconds: Int64) { self = EventTime(microseconds: 0).advanced(by: .seconds(seconds)) }

    /// Makes a time from whole seconds since 1970. Beyond the range, the first or the last representable time.
    package init(clampedSeconds seconds: Int64) {
        let (product, overflows) = seconds.multipliedReportingOverflow(by: 1_000_000)
        microseconds = overflows ? (seconds < 0 ? .min : .max) : product
    }

    /// The system's wall clock, in microseconds.
    package static var now: EventTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return EventTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }

    /// The milliseconds since 1970, for UUIDv7; 0 for times before 1970.
    public var milliseconds: UInt64 { microseconds > 0 ? UInt64(microseconds) / 1000 : 0 }

    /// Compares the times.
    public static func < (left: Self, right: Self) -> Bool { left.microseconds < right.microseconds }

    /// This time plus `duration`; a result out of range becomes the nearest valid time.
    public func advanced(by duration: Duration) -> Self {
        let (seconds, attoseconds) = duration.components
        let (product, overflow) = seconds.multipliedReportingOverflow(by: 1_000_000)
        guard !overflow else { return Self(microseconds: seconds < 0 ? .min : .max) }
        let (sum, overflows) = microseconds.addingReportingOverflow(product &+ attoseconds / 1_000_000_000_000)
        return overflows ? Self(microseconds: seconds < 0 ? .min : .max) : Self(microseconds: sum)
    }

    /// The duration from `other` to this time; negative if this time is earlier.
    public func duration(since other: Self) -> Duration {
        .microseconds(microseconds.subtractingReportingOverflow(other.microseconds).partialValue)
    }
}

extension EventTime {
    /// Parses seconds since 1970 with at most six decimals; nil for any other text.
    package init?(secondsSince1970 text: String) {
        guard let time = Array(text.utf8).withUnsafeBufferPointer({ Self(secondsSince1970: $0) }) else { return nil }
        self = time
    }

    /// Parses seconds since 1970, at most twelve digits with at most six decimals; nil for any other text.
    package init?(secondsSince1970 text: UnsafeBufferPointer<UInt8>) {
        var digits = DigitReader(text)
        let isNegative = digits.consume("-")
        guard let seconds = digits.number(upToDigits: 12), let fraction = digits.millionths(), digits.isAtEnd
        else { return nil }
        let magnitude = seconds * 1_000_000 + fraction
        self.init(microseconds: isNegative ? -magnitude : magnitude)
    }
}

/// Consumes digits and signs at the start of a text.
private struct DigitReader {
    private let text: UnsafeBufferPointer<UInt8>
    private var offset = 0

    init(_ text: UnsafeBufferPointer<UInt8>) { self.text = text }

    var isAtEnd: Bool { offset == text.count }

    /// Consumes a sign if it comes next.
    mutating func consume(_ sign: Unicode.Scalar) -> Bool {
        guard !isAtEnd, text[offset] == UInt8(ascii: sign) else { return false }
        offset += 1
        return true
    }

    /// Consumes a number with 1 to `count` digits, at most 18.
    mutating func number(upToDigits count: Int) -> Int64? {
        guard var value = digit() else { return nil }
        for _ in 1..<count {
            guard let digit = digit() else { break }
            value = value * 10 + digit
        }
        return value
    }

    /// Consumes a decimal point and one to six decimals, and returns millionths; 0 without a point, nil if no digit
    /// follows the point.
    mutating func millionths() -> Int64? {
        guard consume(".") else { return 0 }
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
