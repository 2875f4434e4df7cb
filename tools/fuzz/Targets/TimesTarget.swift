internal import EventModel
internal import EventQuery

/// Times in options: any text is parsed or rejected, and a parsed time can be formatted and parsed again.
package final class TimesTarget: FuzzTarget {
    package static let name = "times"

    /// The limits of the range, and typical times.
    private static let nows = [.min, -1, 0, 1_536_753_247_351_338, 253_402_300_799_999_999, .max]
        .map { EventTime(microseconds: $0) }

    package init() throws {}

    package func seeds() throws -> [[UInt8]] {
        [
            "2018-09-12T11:54:07Z", "2018-09-12T11:54:07.351338Z", "2018-09-12t11:54:07.3+02:00",
            "2018-09-12 11:54:07-23:59", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00+23:59",
            "9999-12-31T23:59:59.999999Z",
            "9999-12-31T23:59:60-23:59", "2016-12-31T23:59:60Z", "2020-02-29T00:00:00Z", "2019-02-29T00:00:00Z",
            "2018-13-01T00:00:00Z", "1536753247.351338", "1536753247", "-1", "-0.000001", "999999999999.999999", "0",
            "1e3", "1.", ".5", "2018-09-12", "2018-09-12 11:54", "2018-09-12T11:54", "2018-09-12 11:54:07",
            "0000-01-01",
            "9999-12-31 23:59:59", "2018-02-30", "-15m", "-1h30m", "+2d", "+1w", "-999999999w999999999w", "+0s", "-1x",
            "now",
            "NOW", "today", "yesterday", "tomorrow", "tod\u{101}y", "\u{0661}\u{0662}", "", "+", "-",
        ].map { Array($0.utf8) }
    }

    package func run(_ bytes: UnsafeRawBufferPointer) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        if let time = EventTime(rfc3339: text), time.hasRFC3339 {
            try require(EventTime(rfc3339: time.rfc3339) == time, "\(time.rfc3339) is parsed as a different time")
        }
        guard let expression = TimeExpression(text) else {
            try require(
                EventTime(rfc3339: text) == nil && EventTime(secondsSince1970: text) == nil, "a time is rejected")
            return
        }
        for now in Self.nows {
            let time = expression.time(now: now)
            _ = time.milliseconds
            if time.hasRFC3339 {
                try require(EventTime(rfc3339: time.rfc3339) == time, "\(time.rfc3339) is another time when it is read")
            }
            if let fixed = EventTime(rfc3339: text) ?? EventTime(secondsSince1970: text) {
                try require(time == fixed, "a fixed time depends on the current time")
            }
        }
    }
}
