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
