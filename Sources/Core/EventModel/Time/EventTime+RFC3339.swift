internal import Primitives

extension EventTime {
    /// The time in UTC with six decimals: `2018-09-12T11:54:07.351338Z`.
    package var rfc3339: String {
        var text: [UInt8] = []
        appendRFC3339(to: &text)
        return String(decoding: text, as: UTF8.self)
    }

    /// Whether RFC 3339 can represent the time: in the years 0000 to 9999.
    package var hasRFC3339: Bool {
        (-62_167_219_200_000_000...253_402_300_799_999_999).contains(microseconds)
    }

    /// Appends ``rfc3339`` as ASCII.
    package func appendRFC3339(to text: inout [UInt8]) {
        let (second, microsecond) = CalendarDate.floorDivide(microseconds, by: 1_000_000)
        let (day, secondOfDay) = CalendarDate.floorDivide(second, by: 86_400)
        let date = CalendarDate(days: day)
        Self.append(date.year, width: 4, then: "-", to: &text)
        Self.append(date.month, width: 2, then: "-", to: &text)
        Self.append(date.day, width: 2, then: "T", to: &text)
        Self.append(secondOfDay / 3600, width: 2, then: ":", to: &text)
        Self.append(secondOfDay / 60 % 60, width: 2, then: ":", to: &text)
        Self.append(secondOfDay % 60, width: 2, then: ".", to: &text)
        Self.append(microsecond, width: 6, then: "Z", to: &text)
    }

    /// Appends a number with at least `width` digits, and the text after it.
    private static func append(_ value: Int64, width: Int, then end: Unicode.Scalar, to text: inout [UInt8]) {
        if value < 0 { text.append(UInt8(ascii: "-")) }
        var rest = value.magnitude
        var digits = 1
        var unit: UInt64 = 1
        while digits < width || rest / unit >= 10 {
            digits += 1
            unit *= 10
        }
        while unit > 0 {
            text.append(UInt8(ascii: "0") + UInt8(rest / unit))
            rest %= unit
            unit /= 10
        }
        text.append(UInt8(ascii: end))
    }

    /// Parses a date and time of RFC 3339 with at most six decimals; nil for any other text.
    package init?(rfc3339 text: String) {
        guard let time = Array(text.utf8).withUnsafeBufferPointer({ Self(rfc3339: $0) }) else { return nil }
        self = time
    }

    /// Parses a date and time of RFC 3339 with at most six decimals; nil for any other text. Accepts a space instead of
    /// `T`. Second 60 counts as the first second of the next minute.
    package init?(rfc3339 text: UnsafeBufferPointer<UInt8>) {
        guard text.count >= 20, text[10] | 0x20 == UInt8(ascii: "t") || text[10] == UInt8(ascii: " "),
            let day = InternetTime.day(text), let time = InternetTime.timeOfDay(text, from: 11),
            time.decimals.count <= 6
        else { return nil }
        let date = CalendarDate(year: Int64(day.year), month: Int64(day.month), day: Int64(day.day))
        let minutes = date.days * 1440 + Int64(time.hour * 60 + time.minute - time.minutesEast)
        var fraction: Int64 = 0
        for location in time.decimals { fraction = fraction * 10 + Int64(text[location] & 0x0F) }
        for _ in time.decimals.count..<6 { fraction *= 10 }
        self.init(microseconds: (minutes * 60 + Int64(time.second)) * 1_000_000 + fraction)
    }
}

/// A date of the Gregorian calendar, extended to all years.
package struct CalendarDate: Equatable {
    let year: Int64
    let month: Int64
    package let day: Int64

    init(year: Int64, month: Int64, day: Int64) {
        self.year = year
        self.month = month
        self.day = day
    }

    // Converts between dates and days since 1970, with years that start in March.
    // https://howardhinnant.github.io/date_algorithms.html

    /// The days from 1970-01-01 to this date. A day beyond the month's end counts into the next month.
    var days: Int64 {
        let marchYear = month > 2 ? year : year - 1
        let (era, yearOfEra) = Self.floorDivide(marchYear, by: 400)
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }

    /// The date this many days after 1970-01-01.
    package init(days: Int64) {
        let (era, dayOfEra) = Self.floorDivide(days + 719_468, by: 146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = era * 400 + yearOfEra + (month <= 2 ? 1 : 0)
    }

    /// The quotient rounded down, and the nonnegative remainder.
    static func floorDivide(_ value: Int64, by divisor: Int64) -> (quotient: Int64, remainder: Int64) {
        let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
