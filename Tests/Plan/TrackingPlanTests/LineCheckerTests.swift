import Foundation
import Testing
import TrackingPlan

@Suite("Checking lines")
struct LineCheckerTests {
    private static func plan() throws -> CompiledPlan {
        try CompiledPlan(EventPlan(PlanFolder(path: EventPlanTests.schemas)))
    }

    private static func files(_ folder: String) throws -> [(name: String, lines: [Data])] {
        let folder = EventPlanTests.schemas + "/examples/" + folder
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { name in
            let data = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name))
            return (name, data.split(separator: 0x0A, omittingEmptySubsequences: false).dropLast().map { Data($0) })
        }
    }

    @Test("Every good example is valid, with its event")
    func good() throws {
        let plan = try Self.plan()
        var checker = LineChecker(plan)
        for (name, lines) in try Self.files("good") {
            #expect(!lines.isEmpty)
            for line in lines {
                let event = line.withUnsafeBytes { checker.validEvent($0) }
                #expect(event.map { plan.plan.events[$0].name + ".jsonl" } == name)
            }
        }
    }

    @Test("Every bad example has findings with locations")
    func bad() throws {
        var checker = LineChecker(try Self.plan())
        for (name, lines) in try Self.files("bad") {
            for line in lines {
                let result = line.withUnsafeBytes { checker.check($0) }
                #expect(!result.isValid, "\(name)")
                #expect(result.findings.allSatisfy { !$0.message.isEmpty && $0.offset <= line.count }, "\(name)")
            }
        }
    }

    @Test(
        "Kinds of findings are distinguished",
        arguments: [
            (#"{"v":1"#, ["not-json  6"]),
            (#"[]"#, ["invalid-container  0"]),
            (line(schema: "basket/1-0-0", event: #"{"name":"basket"}"#), ["unknown-event /schema 241"]),
            (line(schema: "search/1-0-1", event: #"{"name":"search"}"#), ["unknown-version /schema 241"]),
            (line(schema: "search/1-0-0", event: #"{"name":"launch"}"#), ["name-mismatch /event/name 272"]),
            (line(schema: "launch/1-0-0", event: #"{"name":"launch","value":{}}"#), ["invalid-event /event/value 281"]),
            (
                line(schema: "launch/1-0-0", event: #"{"name":"launch"}"#, time: "1.1234567"),
                ["invalid-container /time 219"]
            ),
            (line(schema: "launch/1-0-0", event: #"{"name":"launch"}"#), []),
            (
                line(schema: "search/1-0-0", event: #"{"name":"search","value":{"query":"","page":0}}"#),
                ["invalid-event /event/value/query 298", "invalid-event /event/value/page 308"]
            ),
        ] as [(String, [String])])
    func kinds(_ line: String, _ expected: [String]) throws {
        var checker = LineChecker(try Self.plan())
        let result = Array(line.utf8).withUnsafeBytes { checker.check($0) }
        #expect(result.findings.map { "\($0.kind.rawValue) \($0.instancePath) \($0.offset)" } == expected)
    }

    @Test(
        "The time is read exactly, in valid and invalid lines",
        arguments: [
            ("0", 0), ("1536753247.351338", 1_536_753_247_351_338), ("1.5", 1_500_000), ("-2.25", -2_250_000),
            ("0.000001", 1), ("9007199254740991", nil), ("1.1234567", nil), ("1e3", nil), ("\"1\"", nil),
            ("9223372036854.775807", .max), ("9223372036854.775808", nil),
        ] as [(String, Int64?)])
    func times(_ time: String, _ expected: Int64?) throws {
        var checker = LineChecker(try Self.plan())
        let line = Array(Self.line(schema: "launch/1-0-0", event: #"{"name":"launch"}"#, time: time).utf8)
        let result = line.withUnsafeBytes { checker.check($0) }
        #expect(result.microseconds == expected)
        guard result.isValid else { return }
        #expect(line.withUnsafeBytes { checker.validEvent($0) } != nil)
        #expect(checker.microseconds == expected)
    }

    private static func line(schema: String, event: String, time: String = "1536753247.5") -> String {
        #"{"v":1,"id":"0165cddb-1e98-7000-8000-000000000001","install_id":"90C5359B-8311-4221-94E1-921140C5353C","seq":1,"session_id":"00000000-0000-4000-8000-000000000001","user_id":"F3476B52-160D-4CB9-9022-DE3B34E732EC","time":"#
            + time + #","schema":""# + schema + #"","event":"# + event + "}"
    }

    @Test("Lines that are too long have findings")
    func length() throws {
        var checker = LineChecker(try Self.plan())
        let long = Array(repeating: UInt8(ascii: " "), count: 32 * 1024 + 1)
        #expect(long.withUnsafeBytes { checker.check($0) }.findings.map(\.kind) == [.tooLong])
    }
}
