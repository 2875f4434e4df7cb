package import EventModel
internal import Foundation

/// A point in time on the command line.
///
/// | form | means |
/// |---|---|
/// | `2018-09-12T11:54:07.351338Z`, `…+02:00` | this time (RFC 3339) |
/// | `1536753247.351338` | seconds since 1970 |
/// | `2018-09-12`, `2018-09-12 11:54`, `2018-09-12 11:54:07` | this time in the time zone of this machine, or of `TZ` |
/// | `-15m`, `-1h30m`, `+2d` | before or after now; units `s`, `m`, `h`, `d` (24 hours), `w` |
/// | `now`, `today`, `yesterday`, `tomorrow` | now, and the starts of these days in that time zone |
package struct TimeExpression: Hashable, Sendable {
    private enum Kind: Hashable, Sendable {
        case fixed(EventTime)
        case fromNow(seconds: Int64)
        case startOfDay(daysFromToday: Int)
    }

    private let kind: Kind
    /// The expression as typed.
    package let source: String

    private init(_ kind: Kind, source: String) {
        self.kind = kind
        self.source = source
    }

    /// `now`.
    package static let now = TimeExpression(.fromNow(seconds: 0), source: "now")

    /// Whether the time depends on the current time.
    package var isRelative: Bool { if case .fixed = kind { false } else { true } }

    /// Parses a time; nil if the text is invalid.
    package init?(_ text: String) {
        source = text
        if let time = EventTime(rfc3339: text) ?? EventTime(secondsSince1970: text) ?? Self.local(text) {
            kind = .fixed(time)
        } else if let seconds = Self.offset(text) {
            kind = .fromNow(seconds: seconds)
        } else {
            switch text.lowercased() {
            case "now": kind = .fromNow(seconds: 0)
            case "today": kind = .startOfDay(daysFromToday: 0)
            case "yesterday": kind = .startOfDay(daysFromToday: -1)
            case "tomorrow": kind = .startOfDay(daysFromToday: 1)
            default: return nil
            }
        }
    }

    /// The time that the expression refers to.
    package func time(now: EventTime) -> EventTime {
        switch kind {
        case .fixed(let time): return time
        case .fromNow(let seconds): return now.advanced(by: .seconds(seconds))
        case .startOfDay(let days):
            var clock = time_t(now.microseconds / 1_000_000)
            var parts = tm()
            localtime_r(&clock, &parts)
            return Self.local(
                year: Int(parts.tm_year) + 1900, month: Int(parts.tm_mon) + 1, day: Int(parts.tm_mday) + days)
        }
    }

    /// `-1h30m` in seconds.
    private static func offset(_ text: String) -> Int64? {
        guard let match = text.wholeMatch(of: /([+-])((?:\d{1,9}[smhdw])+)/.asciiOnlyDigits()) else { return nil }
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
        let seconds = match.2.matches(of: /(\d+)([smhdw])/).reduce(Int64(0)) { sum, part in
            sum + (Int64(part.1) ?? 0) * (part.2.first.flatMap { units[$0] } ?? 0)
        }
        return match.1 == "-" ? -seconds : seconds
    }

    private static func local(_ text: String) -> EventTime? {
        let pattern = /(\d{4})-(\d\d)-(\d\d)(?:[ T](\d\d):(\d\d)(?::(\d\d))?)?/.asciiOnlyDigits()
        guard let match = text.wholeMatch(of: pattern) else { return nil }
        let hour = match.4 ?? "00"
        let minute = match.5 ?? "00"
        let second = match.6 ?? "00"
        // Rejects invalid dates, such as February 30.
        guard EventTime(rfc3339: "\(match.1)-\(match.2)-\(match.3)T\(hour):\(minute):\(second)Z") != nil,
            let year = Int(match.1), let month = Int(match.2), let day = Int(match.3), let hour = Int(hour),
            let minute = Int(minute), let second = Int(second)
        else { return nil }
        return local(year: year, month: month, day: day, hour: hour, minute: minute, second: second)
    }

    private static func local(
        year: Int, month: Int, day: Int, hour: Int = 0, minute: Int = 0, second: Int = 0
    ) -> EventTime {
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = Int32(second)
        parts.tm_isdst = -1
        return EventTime(seconds: Int64(mktime(&parts)))
    }
}
