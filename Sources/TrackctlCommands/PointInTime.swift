internal import ArgumentParser
internal import EventLog
internal import Foundation

/// A time on the command line: RFC 3339, such as `2015-01-01T00:30:00Z`, or seconds since 1970.
struct PointInTime: ExpressibleByArgument {
    let time: EventTime

    init?(argument: String) {
        if let seconds = Decimal(string: argument, locale: Locale(identifier: "en_US_POSIX")),
            argument.allSatisfy({ $0.isNumber || $0 == "." || $0 == "-" }), !argument.dropFirst().contains("-")
        {
            let microseconds = seconds * 1_000_000
            time = EventTime(microseconds: NSDecimalNumber(decimal: microseconds).int64Value)
            return
        }
        for fraction in [false, true] {
            let style = Date.ISO8601FormatStyle(includingFractionalSeconds: fraction)
            if let date = try? style.parse(argument) {  // not this form
                time = EventTime(microseconds: Int64((date.timeIntervalSince1970 * 1_000_000).rounded()))
                return
            }
        }
        return nil
    }

    /// A time as RFC 3339 in UTC, with six decimals.
    static func text(_ time: EventTime) -> String {
        let (seconds, rest) = time.microseconds.quotientAndRemainder(dividingBy: 1_000_000)
        let (whole, fraction) = rest < 0 ? (seconds - 1, rest + 1_000_000) : (seconds, rest)
        let date = Date(timeIntervalSince1970: Double(whole)).formatted(.iso8601)
        let digits = String(fraction)
        return "\(date.dropLast()).\(String(repeating: "0", count: 6 - digits.count))\(digits)Z"
    }
}
