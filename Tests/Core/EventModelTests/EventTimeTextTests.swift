import EventModel
import Testing

@Suite("A time as text")
struct EventTimeTextTests {
    @Test(
        "is written in UTC and read back",
        arguments: [
            (1_536_753_247_351_338, "2018-09-12T11:54:07.351338Z"), (0, "1970-01-01T00:00:00.000000Z"),
            (-1, "1969-12-31T23:59:59.999999Z"), (951_782_400_000_000, "2000-02-29T00:00:00.000000Z"),
            (-62_167_219_200_000_000, "0000-01-01T00:00:00.000000Z"),
            (253_402_300_799_999_999, "9999-12-31T23:59:59.999999Z"),
        ] as [(Int64, String)])
    func utc(microseconds: Int64, text: String) {
        let time = EventTime(microseconds: microseconds)
        #expect(time.rfc3339 == text)
        #expect(time.hasRFC3339)
        #expect(EventTime(rfc3339: text) == time)
    }

    @Test("has a form beyond the years of RFC 3339, and reports this")
    func range() {
        #expect(EventTime(microseconds: 253_402_300_800_000_000).rfc3339 == "10000-01-01T00:00:00.000000Z")
        #expect(!EventTime(microseconds: 253_402_300_800_000_000).hasRFC3339)
        #expect(!EventTime(microseconds: -62_167_219_200_000_001).hasRFC3339)
        #expect(EventTime(microseconds: .min).rfc3339 == "-290308-12-21T19:59:05.224192Z")
    }

    @Test("from seconds beyond the range is the first or the last time")
    func clamped() {
        #expect(EventTime(clampedSeconds: .min) == EventTime(microseconds: .min))
        #expect(EventTime(clampedSeconds: -9_223_372_036_855) == EventTime(microseconds: .min))
        #expect(EventTime(clampedSeconds: -9_223_372_036_854) == EventTime(seconds: -9_223_372_036_854))
        #expect(EventTime(clampedSeconds: 9_223_372_036_854) == EventTime(seconds: 9_223_372_036_854))
        #expect(EventTime(clampedSeconds: 9_223_372_036_855) == EventTime(microseconds: .max))
    }

    @Test(
        "is read with offsets, and with fewer decimals",
        arguments: [
            ("2018-09-12T13:54:07+02:00", 1_536_753_247_000_000),
            ("2018-09-12t06:24:07.5-05:30", 1_536_753_247_500_000),
            ("2018-09-12 11:54:07z", 1_536_753_247_000_000), ("2016-12-31T23:59:60Z", 1_483_228_800_000_000),
        ] as [(String, Int64)])
    func offsets(text: String, microseconds: Int64) {
        #expect(EventTime(rfc3339: text)?.microseconds == microseconds)
    }

    @Test(
        "that is invalid is rejected",
        arguments: [
            "", "2018-09-12", "2018-09-12T11:54:07", "2018-02-30T00:00:00Z", "2018-13-01T00:00:00Z",
            "2018-00-10T00:00:00Z", "2018-01-00T00:00:00Z", "2018-01-01T24:00:00Z", "2018-01-01T00:60:00Z",
            "2018-01-01T00:00:61Z", "2018-01-01T00:00:00.Z", "2018-01-01T00:00:00.1234567Z",
            "2018-01-01T00:00:00+24:00",
            "2018-01-01T00:00:00+0100", "18-01-01T00:00:00Z", "2018-01-01T00:00:00Zx", "２018-01-01T00:00:00Z",
        ])
    func issues(text: String) { #expect(EventTime(rfc3339: text) == nil) }

    @Test("as seconds has at most twelve digits and six decimals")
    func seconds() {
        #expect(EventTime(secondsSince1970: "1536753247.351338")?.microseconds == 1_536_753_247_351_338)
        #expect(EventTime(secondsSince1970: "-0.5")?.microseconds == -500_000)
        #expect(EventTime(secondsSince1970: "999999999999")?.microseconds == 999_999_999_999_000_000)
        for text in ["", "-", ".5", "1.", "1.0000001", "1e3", "+1", "1000000000000", "1 "] {
            #expect(EventTime(secondsSince1970: text) == nil, "\(text)")
        }
    }
}
