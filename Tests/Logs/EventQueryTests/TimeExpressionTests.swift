import EventModel
import EventQuery
import Foundation
import Testing

@Suite("Times on the command line")
struct TimeExpressionTests {
    private let now = EventTime(seconds: 1_536_753_247)

    @Test(
        "Absolute and relative times",
        arguments: [
            ("2018-09-12T11:54:07Z", 0), ("1536753247", 0), ("now", 0), ("-15m", -900), ("+1h30m", 5400),
            ("-1d", -86_400), ("-2w", -1_209_600), ("-0s", 0), ("2018-09-12T13:54:08+02:00", 1),
        ])
    func times(text: String, seconds: Int64) {
        #expect(TimeExpression(text)?.time(now: now) == EventTime(seconds: 1_536_753_247 + seconds))
    }

    @Test("Days begin at midnight in the machine's time zone")
    func days() throws {
        let calendar = Calendar(identifier: .gregorian)
        let noon = try #require(calendar.date(from: DateComponents(year: 2018, month: 9, day: 12, hour: 12)))
        let now = EventTime(seconds: Int64(noon.timeIntervalSince1970))
        for (text, days) in [("today", 0), ("yesterday", -1), ("tomorrow", 1)] {
            let day = try #require(calendar.date(from: DateComponents(year: 2018, month: 9, day: 12 + days)))
            #expect(TimeExpression(text)?.time(now: now) == EventTime(seconds: Int64(day.timeIntervalSince1970)))
        }
        let minute = try #require(
            calendar.date(from: DateComponents(year: 2018, month: 9, day: 12, hour: 7, minute: 5)))
        let typed = TimeExpression("2018-09-12 07:05")
        #expect(typed?.time(now: now) == EventTime(seconds: Int64(minute.timeIntervalSince1970)))
    }

    @Test("Invalid times", arguments: ["", "soon", "15m", "-1y", "2018-02-30", "2018-9-12", "-99999999999s"])
    func noTimes(text: String) { #expect(TimeExpression(text) == nil) }
}
