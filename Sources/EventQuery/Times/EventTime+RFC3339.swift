package import EventLog

extension EventTime {
    /// The time in UTC with six decimals: `2018-09-12T11:54:07.351338Z`.
    package var rfc3339: String {
        let (second, microsecond) = Self.floorDivide(microseconds, by: 1_000_000)
        let (day, secondOfDay) = Self.floorDivide(second, by: 86_400)
        let (year, month, dayOfMonth) = Self.date(day: day)
        let date = "\(Self.digits(year, 4))-\(Self.digits(month, 2))-\(Self.digits(dayOfMonth, 2))"
        let hour = Self.digits(secondOfDay / 3600, 2)
        let minute = Self.digits(secondOfDay / 60 % 60, 2)
        return "\(date)T\(hour):\(minute):\(Self.digits(secondOfDay % 60, 2)).\(Self.digits(microsecond, 6))Z"
    }

    /// Reads a date and time of RFC 3339 with at most six decimals, or gives nil.
    package init?(rfc3339 text: String) {
        let pattern =
            /(\d{4})-(\d\d)-(\d\d)[Tt ](\d\d):(\d\d):(\d\d)(?:\.(\d{1,6}))?(?:[Zz]|([+-])(\d\d):(\d\d))/
            .asciiOnlyDigits()
        guard let match = text.wholeMatch(of: pattern)?.output,
            let year = Int64(match.1), let month = Int64(match.2), let day = Int64(match.3),
            let hour = Int64(match.4), let minute = Int64(match.5), let second = Int64(match.6),
            (1...12).contains(month), day >= 1, hour < 24, minute < 60, second <= 60
        else { return nil }
        let days = Self.day(year: year, month: month, day: day)
        guard Self.date(day: days) == (year, month, day) else { return nil }  // the 30th of February
        var seconds = days * 86_400 + hour * 3600 + minute * 60 + second
        if let sign = match.8 {
            guard let hours = Int64(match.9 ?? ""), let minutes = Int64(match.10 ?? ""), hours < 24, minutes < 60
            else { return nil }
            seconds -= (sign == "-" ? -1 : 1) * (hours * 3600 + minutes * 60)
        }
        self.init(microseconds: seconds * 1_000_000 + Self.microseconds(match.7))
    }

    /// Reads seconds since 1970 with at most six decimals, or gives nil.
    package init?(secondsSince1970 text: String) {
        let pattern = /(-?)(\d{1,12})(?:\.(\d{1,6}))?/.asciiOnlyDigits()
        guard let match = text.wholeMatch(of: pattern)?.output, let seconds = Int64(match.2) else { return nil }
        let magnitude = seconds * 1_000_000 + Self.microseconds(match.3)
        self.init(microseconds: match.1.isEmpty ? magnitude : -magnitude)
    }

    private static func microseconds(_ decimals: Substring?) -> Int64 {
        let decimals = decimals ?? ""
        return Int64(decimals + String(repeating: "0", count: 6 - decimals.count)) ?? 0
    }

    private static func digits(_ value: Int64, _ width: Int) -> String {
        let text = String(value.magnitude)
        return (value < 0 ? "-" : "") + String(repeating: "0", count: max(0, width - text.count)) + text
    }

    private static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }

    // Days since 1970 and dates of the Gregorian calendar, in years that start in March.
    // https://howardhinnant.github.io/date_algorithms.html

    private static func day(year: Int64, month: Int64, day: Int64) -> Int64 {
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = floorDivide(marchYear, by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    private static func date(day: Int64) -> (year: Int64, month: Int64, day: Int64) {
        let (era, dayOfEra) = floorDivide(day + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        let year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
    }
}
