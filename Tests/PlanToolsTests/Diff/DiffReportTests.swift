import Testing
import TrackingPlan

@testable import PlanTools

@Suite("Reports of a comparison")
struct DiffReportTests {
    private static let first = TestPlan.event(#"{"type": "integer", "maximum": 100}"#)
    private static let second = TestPlan.event(#"{"type": "integer", "maximum": 50}"#)
    private static let third = TestPlan.event(#"{"type": "integer", "maximum": 60, "description": "How many."}"#)

    private static func diff() throws -> PlanDiff {
        let old = TestPlan.folder([("1-0-0", first), ("1-0-1", second)], name: "old/Schemas")
        let new = TestPlan.folder([("1-0-1", third), ("1-0-2", third)])
        return try PlanDiff(new, against: (old, "git:HEAD"))
    }

    @Test("for people")
    func text() throws {
        #expect(
            try Self.diff().text == """
                against   git:HEAD
                schemas   2
                compared  1
                findings  2

                a/1-0-0: published, and gone: put Schemas/events/a/1-0-0.json back, lines of the field refer to it
                """)
    }

    @Test("for programs")
    func json() throws {
        print("GOLD", try Self.diff().json, try Self.diff().text)
    }

    @Test("shorten events that are long")
    func longWitness() throws {
        let old = TestPlan.folder([("1-0-0", TestPlan.event(#"{"type": "string"}"#))])
        let new = TestPlan.folder([
            ("1-0-0", TestPlan.event(#"{"type": "string"}"#)),
            ("2-0-0", TestPlan.event(#"{"type": "string", "maxLength": 4000}"#)),
        ])
        let text = try PlanDiff(new, against: (old, "old")).text
        let line = text.split(separator: "\n").last.map(String.init) ?? ""
        #expect(line.hasPrefix("            valid before, refused now: {\"name\":\"a\",\"value\":{\"p\":\"aaa"))
        #expect(line.hasSuffix("a… (4030 bytes)"))
        #expect(line.count < 230)
    }

    @Test("call a bump that is larger than needed so, and let it pass")
    func largerBump() throws {
        let old = TestPlan.folder([("1-0-0", Self.second)])
        let new = TestPlan.folder([("1-0-0", Self.second), ("2-0-0", Self.first)])
        let diff = try PlanDiff(new, against: (old, "old"))
        #expect(diff.findingCount == 0)
        #expect(diff.text.contains("a 1-0-0 -> 2-0-0: MODEL is more than needed, ADDITION would do"))
    }
}
