internal import EventLog
internal import EventModel
internal import JSONLines

/// How times are written in lines of another system.
enum ForeignTime: String, CaseIterable {
    case rfc3339
    /// Since 1970: seconds with at most six decimals, milliseconds, microseconds.
    case seconds = "s"
    case milliseconds = "ms"
    case microseconds = "us"

    /// The time of a value; nil for one that is not written so.
    func time(of value: JSONValue) -> EventTime? {
        switch (self, value) {
        case (.rfc3339, .string(let text)): EventTime(rfc3339: text)
        case (.seconds, .string(let text)): EventTime(secondsSince1970: text)
        case (.seconds, .number(let seconds)):
            // A double holds microseconds of our age to less than a quarter of one.
            Int64(exactly: (seconds * 1_000_000).rounded()).map { EventTime(microseconds: $0) }
        case (.seconds, .integer(let number)): Self.time(number, 1_000_000)
        case (.milliseconds, .integer(let number)): Self.time(number, 1000)
        case (.microseconds, .integer(let number)): Self.time(number, 1)
        case (.milliseconds, .string(let text)): Int64(text).flatMap { Self.time($0, 1000) }
        case (.microseconds, .string(let text)): Int64(text).flatMap { Self.time($0, 1) }
        default: nil
        }
    }

    private static func time(_ number: Int64, _ unit: Int64) -> EventTime? {
        let (microseconds, overflows) = number.multipliedReportingOverflow(by: unit)
        return overflows ? nil : EventTime(microseconds: microseconds)
    }
}
