package import EventModel

/// Parses the three forms of a date in HTTP: https://www.rfc-editor.org/rfc/rfc9110#section-5.6.7
package enum HTTPDate {
    private static let months = [
        "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]

    /// The time; nil if the text is not a date.
    ///
    /// - Parameter now: Determines the century of a two-digit year: at most 50 years in the future.
    package static func time(_ text: String, now: EventTime) -> EventTime? {
        let words = text.split(separator: " ", omittingEmptySubsequences: true)
        if words.count == 6, words[5] == "GMT" {  // Sun, 06 Nov 1994 08:49:37 GMT
            return time(day: words[1], month: words[2], year: Int(words[3]), clock: words[4])
        }
        if words.count == 4, words[3] == "GMT" {  // Sunday, 06-Nov-94 08:49:37 GMT
            let parts = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard parts.count == 3, parts[2].count == 2, let short = Int(parts[2]) else { return nil }
            let thisYear = 1970 + Int(now.microseconds / 31_556_952_000_000)
            var year = thisYear - thisYear % 100 + short
            if year > thisYear + 50 { year -= 100 }
            return time(day: parts[0], month: parts[1], year: year, clock: words[2])
        }
        if words.count == 5 {  // Sun Nov  6 08:49:37 1994
            return time(day: words[2], month: words[1], year: Int(words[4]), clock: words[3])
        }
        return nil
    }

    private static func time(day: Substring, month: Substring, year: Int?, clock: Substring) -> EventTime? {
        let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
        guard let day = Int(day), (1...31).contains(day), let month = months.firstIndex(of: String(month)),
            let year, (1970...9999).contains(year), parts.count == 3, let hour = parts[0], (0...23).contains(hour),
            let minute = parts[1], (0...59).contains(minute), let second = parts[2], (0...60).contains(second)
        else { return nil }
        let seconds = days(year: year, month: month + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second
        return EventTime(seconds: Int64(seconds))
    }

    /// Days since 1970 in the Gregorian calendar: https://howardhinnant.github.io/date_algorithms.html#days_from_civil
    private static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let era = year / 400
        let yearOfEra = year - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}
