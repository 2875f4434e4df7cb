import CommandRunner
import EventModel
import EventQuery
import Foundation
import JSONLines
import Testing

@Suite("Finding the members of an event in its line")
struct EventLineScannerTests {
    private static let all: EventLineScanner.Members = [
        .id, .installID, .seq, .sessionID, .userID, .time, .schema, .event,
    ]

    @Test("Every member is found, and nothing inside a value is mistaken for one")
    func members() throws {
        try QueriedLine.scan(QueriedLine.search, Self.all) { line in
            #expect(line.text(line.id) == "018f3c00-0000-7000-8000-000000000001")
            #expect(line.text(line.installID) == "i-1")
            #expect(line.text(line.sessionID) == "s-1")
            #expect(line.text(line.userID) == "u-1")
            #expect(line.text(line.schema) == "search/1-0-0")
            #expect(line.text(line.name) == "search")
            #expect(line.seq == 7)
            #expect(line.time == EventTime(microseconds: 1_536_753_247_351_338))
        }
    }

    @Test("Members that were not requested are not examined")
    func unwanted() throws {
        try QueriedLine.scan(QueriedLine.search) { line in
            #expect(line.text(line.name) == "search")
            #expect(line.text(line.userID) == nil && line.seq == nil && line.time == nil)
        }
    }

    @Test(
        "The name is found in any order, with white space and with escapes",
        arguments: [
            #"{"event":{"name":"search"}}"#,
            " {\t\"event\" :\r {\"value\":{\"name\":\"x\"} , \"name\" : \"search\"} } ",
            #"{"\u0065vent":{"n\u0061me":"se\u0061rch"},"a":"\\"}"#,
            #"{"a":"\"event\":{\"name\":\"launch\"}","b":["{",{"event":{"name":"launch"}}],"event":{"name":"search"},"c":-1e5}"#,
        ])
    func shapes(line: String) throws {
        #expect(try QueriedLine.scan(line) { $0.text($0.name) } == "search")
        #expect(try QueriedLine.scan(line) { $0.matches($0.name, TextMatcher(glob: "se*h")) })
        #expect(try QueriedLine.scan(line) { $0.matches($0.name, TextMatcher(exactly: "search")) })
        #expect(try !QueriedLine.scan(line) { $0.matches($0.name, TextMatcher(exactly: "launch")) })
    }

    @Test(
        "A line that is not an event is rejected with a column",
        arguments: [
            ("", 0), ("[]", 0), ("{}", 0), (#"{"a":1}"#, 0), (#"{"event":1}"#, 9), (#"{"event":{"nam":"a"}}"#, 19),
            (#"{"event":{"name":1}}"#, 17), (#"{"event":{"name":"a"}"#, 21), (#"{"event":{"name":"a}"#, 20),
            (#"{"event":{"name":"a"}}x"#, 22), (#"{"event":{"name":"a"},}"#, 22),
            (#"{"event":{"name":"a"} "b":1}"#, 22),
            (#"{"event":{"name":"a"},"event":{"name":"b"}}"#, 22), (#"{"b" 1,"event":{"name":"a"}}"#, 5),
            (#"{"b":,"event":{"name":"a"}}"#, 5), (#"{"b":[1,"event":{"name":"a"}"#, 5),
        ])
    func refused(line: String, offset: Int) throws {
        do {
            _ = try QueriedLine.scan(line) { $0.seq }
            Issue.record("it was taken")
        } catch let error as JSONSyntaxError {
            #expect(error.offset == offset)
        }
    }

    @Test(
        "A requested time, number or install must be present",
        arguments: [
            (EventLineScanner.Members.time, "time"), (.seq, "seq"), (.installID, "install_id"),
        ])
    func needed(member: EventLineScanner.Members, name: String) throws {
        #expect {
            try QueriedLine.scan(#"{"event":{"name":"a"}}"#, member) { $0.seq }
        } throws: { "\($0)".contains("'\(name)' is missing") }
        #expect(throws: JSONSyntaxError.self) {
            try QueriedLine.scan("{\"\(name)\":null,\"event\":{\"name\":\"a\"}}", member) { $0.seq }
        }
    }

    @Test(
        "Times are exact to the microsecond in every notation",
        arguments: [
            ("0", 0), ("1", 1_000_000), ("1536753247.351338", 1_536_753_247_351_338), ("1.5", 1_500_000),
            ("1.000001", 1_000_001), ("-1.5", -1_500_000), ("-3", -3_000_000), ("1e3", 1_000_000_000),
            ("1.0000004", 1_000_000), ("123456789012.5", 123_456_789_012_500_000),
            ("153675374532.1338", 153_675_374_532_133_800), ("-153675374532.1338", -153_675_374_532_133_800),
        ])
    func times(text: String, microseconds: Int64) throws {
        let line = "{\"time\":\(text),\"event\":{\"name\":\"a\"}}"
        #expect(try QueriedLine.scan(line, .time) { $0.time } == EventTime(microseconds: microseconds))
    }

    @Test(
        "A time that is not a number, or out of range for microseconds, is invalid",
        arguments: ["1.", "1e99", "0x1", "1_0"])
    func noTimes(text: String) throws {
        let line = "{\"time\":\(text),\"event\":{\"name\":\"a\"}}"
        #expect(try QueriedLine.scan(line, .time) { $0.time } == nil)
    }

    @Test("Whatever a strict parser accepts as a container, the scanner finds the same members in it")
    func agreesWithParser() throws {
        var generator = SeededGenerator(seed: 1)
        var taken = 0
        for _ in 0..<3000 {
            var bytes = Array(QueriedLine.search.utf8)
            for _ in 0..<Int.random(in: 0...3, using: &generator) {
                let at = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[at] = Array(#""\{}[]:, 0a"#.utf8).randomElement(using: &generator) ?? 0x20
            }
            guard let container = try? RecordedContainer(line: bytes) else { continue }
            taken += 1
            try QueriedLine.scan(String(decoding: bytes, as: UTF8.self), Self.all) { line in
                #expect(line.text(line.name) == container.name)
                #expect(line.text(line.installID) == container.installID)
                #expect(line.seq == container.seq)
                #expect(line.time == container.time)
            }
        }
        #expect(taken > 500)
    }
}
