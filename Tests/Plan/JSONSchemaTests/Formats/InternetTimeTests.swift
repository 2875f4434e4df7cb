import Testing

@testable import JSONSchema

@Suite("Dates, times and durations")
struct InternetTimeTests {
    private static let notDigits = ["/", ":", " ", "a", "\u{0}", "\u{7F}", "\u{661}"]

    @Test("Dates follow the calendar")
    func calendar() {
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for year in [0, 1, 4, 100, 400, 1600, 1700, 1900, 1999, 2000, 2023, 2024, 2100, 2400, 9996, 9999] {
            let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
            for month in 0...99 {
                for day in 0...99 {
                    let most = (1...12).contains(month) ? lengths[month - 1] + (month == 2 && isLeap ? 1 : 0) : 0
                    let text = "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))"
                    #expect(FormatTable.accepts(.date, text) == (day >= 1 && day <= most), "\(text)")
                }
            }
        }
    }

    @Test("Hours, minutes and seconds have valid ranges")
    func clock() {
        for number in 0...99 {
            let text = Self.padded(number, 2)
            #expect(FormatTable.accepts(.time, "\(text):30:30Z") == (number <= 23))
            #expect(FormatTable.accepts(.time, "12:\(text):30Z") == (number <= 59))
            #expect(FormatTable.accepts(.time, "12:30:\(text)Z") == (number <= 59))
            #expect(FormatTable.accepts(.time, "12:30:30+\(text):30") == (number <= 23))
            #expect(FormatTable.accepts(.time, "12:30:30-12:\(text)") == (number <= 59))
        }
    }

    @Test("A leap second is the last second of a UTC day")
    func leapSeconds() {
        for hour in 0...23 {
            for minute in 0...59 {
                for offset in stride(from: -1439, through: 1439, by: 7) {
                    let sign = offset < 0 ? "-" : "+"
                    let local = "\(Self.padded(hour, 2)):\(Self.padded(minute, 2)):60"
                    let size = offset.magnitude
                    let zone = "\(sign)\(Self.padded(Int(size / 60), 2)):\(Self.padded(Int(size % 60), 2))"
                    let isLast = (hour * 60 + minute - offset - 1439) % 1440 == 0
                    #expect(FormatTable.accepts(.time, local + zone) == isLast, "\(local)\(zone)")
                }
            }
        }
    }

    @Test("Every position accepts only its own characters")
    func locations() {
        let text = Array("2024-05-06T07:08:09.123456+01:30")
        #expect(FormatTable.accepts(.dateTime, String(text)))
        for location in text.indices {
            for wrong in Self.notDigits where wrong != String(text[location]) {
                var changed = text.map(String.init)
                changed[location] = wrong
                #expect(!FormatTable.accepts(.dateTime, changed.joined()), "\(changed.joined())")
            }
            var cut = text
            cut.remove(at: location)
            // The fraction may have one digit fewer.
            #expect(FormatTable.accepts(.dateTime, String(cut)) == (20..<26).contains(location), "\(String(cut))")
        }
    }

    @Test(
        "Invalid durations are rejected",
        arguments: [
            FormatTable(
                format: .dateTime,
                good: [
                    "2024-02-29T00:00:00Z", "2024-02-29t00:00:00z", "0000-01-01T00:00:00Z", "9999-12-31T23:59:59+23:59",
                    "2024-01-01T00:00:00-00:00", "2024-01-01T00:00:00.0Z",
                    "2024-01-01T00:00:00.12345678901234567890123456789Z", "1990-12-31T23:59:60Z",
                    "1990-12-31T15:59:60-08:00", "2024-05-05T00:59:60.9+01:00",
                ],
                bad: [
                    "", "2024-01-01", "2024-01-01T00:00:00", "2024-01-01 00:00:00Z", "2024-01-01T00:00Z",
                    "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00,5Z", "2024-01-01T00:00:00.5", "2024-01-01T24:00:00Z",
                    "2024-01-01T00:00:00+24:00", "2024-01-01T00:00:00+01:60", "2024-01-01T00:00:00+0100",
                    "2024-01-01T00:00:00+01", "2024-01-01T00:00:00+1:00", "2024-01-01T00:00:00+01:00Z",
                    "2024-01-01T00:00:00ZZ", "2024-01-01T00:00:00Z ", " 2024-01-01T00:00:00Z", "2023-02-29T00:00:00Z",
                    "1900-02-29T00:00:00Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00:60Z", "2024-01-01T23:59:60+00:01",
                    "-2024-01-01T00:00:00Z", "+02024-01-01T00:00:00Z", "24-01-01T00:00:00Z", "2024-001T00:00:00Z",
                    "20240101T000000Z", "2024-W01-1T00:00:00Z", "2024-01-01T00:00:00\u{2212}01:00",
                    "\u{FF12}024-01-01T00:00:00Z", "2024-01-01T00:00:00 UTC", "2024-01-01T00:00:00Z\u{0}",
                ]),
            FormatTable(
                format: .date, good: ["2024-12-31", "0001-01-01"],
                bad: ["", "2024-12-3", "2024-12-310", "2024-1-31", "2024/12/31", "2024-12-31Z", "20241231", "2024-366"]),
            FormatTable(
                format: .time, good: ["00:00:00Z", "23:59:59.999+14:00", "23:59:60z", "00:00:00.1-00:00"],
                bad: ["", "00:00:00", "00:00:00.Z", "T00:00:00Z", "00:00Z", "0:00:00Z", "00:00:00+00:00:00", "000000Z"]),
            FormatTable(
                format: .duration,
                good: [
                    "P1Y", "P1M", "P1D", "P1W", "PT1H", "PT1M", "PT1S", "P1Y2M", "P1Y2M3D", "P2M3D", "P1Y2M3DT4H5M6S",
                    "P1DT1S", "PT1H2M", "PT2M3S", "PT1H2M3S", "P1YT1S", "P0D", "PT0S",
                    "P0123456789012345678901234567890D", "P10W",
                ],
                bad: [
                    "", "P", "PT", "P1", "PT1", "1D", "P1YT", "P1D1Y", "P1Y1D", "PT1H1S", "P1S", "P1H", "PT1D", "PT1Y",
                    "P1W1D", "P1Y1W", "P1WT1H", "P1D ", " P1D", "P-1D", "-P1D", "+P1D", "P1.5D", "PT1.5S", "P1,5D",
                    "P1DT", "P1D2H", "p1d", "P1d", "P1Y2Y", "PT1HT1M", "P\u{661}D", "PD", "PTS", "P1DD",
                    "P0001-01-01T00:00:00",
                ]),
        ])
    func tables(_ table: FormatTable) {
        #expect(table.misjudged == [])
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: width - digits.count) + digits
    }
}
