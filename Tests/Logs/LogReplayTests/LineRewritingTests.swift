import EventModel
import EventQuery
import Foundation
import LogReplay
import Testing

@Suite("Rewriting lines")
struct LineRewritingTests {
    private func sent(_ lines: [ReplayedLine], _ change: (inout LineRewriting) throws -> Void) async throws -> [String]
    {
        var plan = ReplayPlan.small()
        try change(&plan.rewriting)
        let sink = ScriptedSink()
        var source = LinesSource(lines)
        let engine = ReplayEngine(plan, sink: sink, clock: JumpingClock(), brake: Brake()) {
            EventTime(microseconds: 1_700_000_000_120_000)
        }
        try await engine.run(&source, state: .fresh(), file: nil)
        return sink.taken.flatMap(\.texts) + source.leftOut
    }

    @Test(
        "Only the value at the path is changed",
        arguments: [
            ("event.value.page=3", #""page":1"#, #""page":3"#),
            ("event.value.page=1.50", #""page":1"#, #""page":1.50"#),
            (#"event.value.page={"a": [1]}"#, #""page":1"#, #""page":{"a": [1]}"#),
            ("user_id=two words", #""user_id":"u""#, #""user_id":"two words""#),
            (#"event.value."my.key"=true"#, #""page":1}"#, #""page":1,"my.key":true}"#),
            ("test=null", "}}}", #"}},"test":null}"#),
            ("event.value={}", #"{"page":1}"#, "{}"), ("event.value.page =3", #""page":1"#, #""page":3"#),
            (#"event.value."a=b"=c=d"#, #""page":1}"#, #""page":1,"a=b":"c=d"}"#),
        ])
    func settings(setting: String, old: String, new: String) async throws {
        let line = ReplayedLine(number: 1)
        let sent = try await sent([line]) { $0.settings = [try MemberSetting(setting)] }
        #expect(sent == [line.text.replacingOccurrences(of: old, with: new)])
    }

    @Test(
        "An invalid setting is rejected, with the column",
        arguments: [
            ("event.value.page", 17, "write path=value, such as event.value.page=3"),
            ("=3", 1, "expected a member's name, such as event.value.page"),
            ("event.*=3", 7, "* matches many values, but one is required here: name it"),
            (" id.x=3", 1, "--set cannot change 'id': use --new-ids"),
            (".\"time\"=3", 1, "--set cannot change 'time': use --time"),
        ])
    func issues(setting: String, column: Int, reason: String) {
        let error = #expect(throws: TypedTextError.self) { try MemberSetting(setting) }
        #expect(error?.column == column && error?.reason == reason, "\(String(describing: error))")
    }

    @Test("A member added to an empty object has no comma before it")
    func emptyObject() async throws {
        let sent = try await sent([ReplayedLine(number: 1)]) {
            $0.settings = [try MemberSetting("event.value={ }"), try MemberSetting("event.value.x=1")]
        }
        #expect(sent[0].hasSuffix(#""value":{ "x":1}}}"#))
    }

    @Test("Where the path leads to no object, the line is skipped with the reason")
    func nowhere() async throws {
        for path in ["event.nothing.page", "event.name.page", "event.value[0]"] {
            let sent = try await sent([ReplayedLine(number: 1)]) {
                $0.settings = [try MemberSetting("\(path)=1")]
            }
            #expect(sent == ["--set \(path): the line has no object for this member"])
        }
    }

    @Test("Times have up to six decimals, without trailing zeros")
    func times() async throws {
        let lines = [ReplayedLine(number: 1, time: "100.25"), ReplayedLine(number: 2, time: "101")]
        let shifted = try await sent(lines) { $0.times = .shift(to: .now) }
        #expect(shifted[0] == lines[0].text.replacingOccurrences(of: ":100.25,", with: ":2000000000,"))
        #expect(shifted[1] == lines[1].text.replacingOccurrences(of: ":101,", with: ":2000000000.75,"))
        let start = try #require(TimeExpression("-1h"))
        let then = try await sent(lines) { $0.times = .shift(to: start) }
        #expect(then[0] == lines[0].text.replacingOccurrences(of: ":100.25,", with: ":1999996400,"))
        let now = try await sent(lines) { $0.times = .now }
        #expect(now[0] == lines[0].text.replacingOccurrences(of: ":100.25,", with: ":1700000000.12,"))
    }

    @Test("New ids are UUIDv7 of the new time, unique, and the same in every run with one state")
    func newIDs() async throws {
        let lines = Array(repeating: ReplayedLine(number: 1, time: "1700000000.123"), count: 50)
        let first = try await sent(lines) { $0.hasNewIDs = true }
        let ids = first.compactMap { $0.firstMatch(of: /"id":"([^"]+)"/).flatMap { EventID(String($0.1)) } }
        #expect(Set(ids).count == 50)
        #expect(ids.allSatisfy { $0.high >> 16 == 1_700_000_000_123 && $0.high >> 12 & 15 == 7 && $0.low >> 62 == 2 })
        #expect(try await sent(lines) { $0.hasNewIDs = true } == first)
        #expect(first[0].replacing(/"id":"[^"]+"/, with: "") == lines[0].text.replacing(/"id":"[^"]+"/, with: ""))
    }
}
