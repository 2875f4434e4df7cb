internal import EventLog
internal import EventModel

/// The first and the last of some times.
struct TimeSpan: Hashable {
    private var earliest = Int64.max
    private var latest = Int64.min

    /// Takes in a time, in microseconds since 1970.
    @inline(__always)
    mutating func add(_ microseconds: Int64) {
        if microseconds < earliest { earliest = microseconds }
        if microseconds > latest { latest = microseconds }
    }

    mutating func add(_ other: TimeSpan) {
        earliest = min(earliest, other.earliest)
        latest = max(latest, other.latest)
    }

    /// RFC 3339 in UTC; nil if there was no time.
    var first: String? { earliest > latest ? nil : EventTime(microseconds: earliest).rfc3339 }
    /// RFC 3339 in UTC; nil if there was no time.
    var last: String? { earliest > latest ? nil : EventTime(microseconds: latest).rfc3339 }
}
