import Testing

@testable import PlanDiff

@Suite("Diff reports")
struct DiffReportTests {
    private static let first = TestPlan.event(#"{"type": "integer", "maximum": 100}"#)
    private static let second = TestPlan.event(#"{"type": "integer", "maximum": 50}"#)
    private static let third = TestPlan.event(#"{"type": "integer", "maximum": 60, "description": "How many."}"#)

    private static func diff() throws -> PlanDiff {
        let old = TestPlan.folder([("1-0-0", first), ("1-0-1", second)], name: "old/Schemas")
        let new = TestPlan.folder([("1-0-1", third), ("1-0-2", third)])
        return try PlanDiff(new, against: (old, "git:HEAD"))
    }

    @Test("The text report shows every finding")
    func text() throws {
        #expect(
            try Self.diff().text == """
                against   git:HEAD
                schemas   2
                compared  1
                findings  2

                a/1-0-0: published, but missing: restore Schemas/events/a/1-0-0.json, lines in production refer to it

                a/1-0-1: published, but changed: restore Schemas/events/a/1-0-1.json, and save the changed schema as 1-0-3
                  every old event is still valid (proven)
                  ADDITION  maximum-raised at value.p: maximum changed from 50 to 60
                            old/Schemas/events/a/1-0-1.json:8 -> Schemas/events/a/1-0-1.json:8
                            valid now, invalid before: {"name":"a","value":{"p":51}}
                  ADDITION  documentation-changed at value.p: description was added
                            Schemas/events/a/1-0-1.json:8

                a 1-0-1 -> 1-0-2: ADDITION is right
                  every old event is still valid (proven)
                  ADDITION  maximum-raised at value.p: maximum changed from 50 to 60
                            old/Schemas/events/a/1-0-1.json:8 -> Schemas/events/a/1-0-2.json:8
                            valid now, invalid before: {"name":"a","value":{"p":51}}
                  ADDITION  documentation-changed at value.p: description was added
                            Schemas/events/a/1-0-2.json:8
                """)
    }

    @Test("The text report names the rules of a bump that is too small")
    func findings() throws {
        let old = TestPlan.folder([("1-0-0", TestPlan.event(#"{"type": "string", "pattern": "^q{7}z{9}$"}"#))])
        let new = TestPlan.folder([
            ("1-0-0", TestPlan.event(#"{"type": "string", "pattern": "^q{7}z{9}$"}"#)),
            ("1-0-1", TestPlan.event(#"{"type": "string", "pattern": "^q{7}z{8}z$"}"#)),
        ])
        let text = try PlanDiff(new, against: (old, "../old")).text
        #expect(
            text == """
                against   ../old
                schemas   2
                compared  1
                findings  1

                a 1-0-0 -> 1-0-1: ADDITION is too small, MODEL is required: rename it to 2-0-0
                  cannot prove that every old event is still valid, so the rules decide: no string was found that meets the patterns
                  MODEL     pattern-changed at value.p: pattern changed from "^q{7}z{9}$" to "^q{7}z{8}z$"
                            Schemas/events/a/1-0-0.json:8 -> Schemas/events/a/1-0-1.json:8
                """)
    }

    @Test("The JSON report has every member")
    func json() throws {
        let locations = (
            """
            "old":{"file":"old/Schemas/events/a/1-0-1.json","line":8,"pointer":"/properties/value/properties/p/maximum"}
            """,
            """
            "witness":{"valid_in":"new","event":"{\\"name\\":\\"a\\",\\"value\\":{\\"p\\":51}}"}
            """
        )
        func changes(_ file: String) -> String {
            """
            "basis":"proof","open_reason":null,"witness":null,"changes":[{"rule":"maximum-raised","keyword":"maximum",\
            "path":"/value/p",\(locations.0),"new":{"file":"\(file)","line":8,"pointer":"/properties/value/properties/p/maximum"},\
            "explanation":"maximum changed from 50 to 60","needed":"addition","basis":"proof",\(locations.1)},\
            {"rule":"documentation-changed","keyword":"description","path":"/value/p","old":null,\
            "new":{"file":"\(file)","line":8,"pointer":"/properties/value/properties/p/description"},\
            "explanation":"description was added","needed":"addition","basis":"rule","witness":null}]
            """
        }
        #expect(
            try Self.diff().json == """
                {"against":"git:HEAD","findings":2,"events":[\
                {"name":"a","is_new":false,"added":["1-0-2"],"comparisons":[\
                {"old":"1-0-1","new":"1-0-2","declared":"addition","needed":"addition","fits":true,"proposed":null,\
                \(changes("Schemas/events/a/1-0-2.json"))}],"published":[\
                {"kind":"vanished","version":"1-0-0","file":"Schemas/events/a/1-0-0.json","proposed":null},\
                {"kind":"changed","version":"1-0-1","file":"Schemas/events/a/1-0-1.json","proposed":"1-0-3",\
                \(changes("Schemas/events/a/1-0-1.json"))}]},\
                {"name":"container","is_new":false,"added":[],"comparisons":[],"published":[]}],"pages":null,"unplanned":null}
                """)
    }

    @Test("Long events are shortened")
    func longWitness() throws {
        let old = TestPlan.folder([("1-0-0", TestPlan.event(#"{"type": "string"}"#))])
        let new = TestPlan.folder([
            ("1-0-0", TestPlan.event(#"{"type": "string"}"#)),
            ("2-0-0", TestPlan.event(#"{"type": "string", "maxLength": 4000}"#)),
        ])
        let text = try PlanDiff(new, against: (old, "old")).text
        let line = text.split(separator: "\n").last.map(String.init) ?? ""
        #expect(line.hasPrefix("            valid before, invalid now: {\"name\":\"a\",\"value\":{\"p\":\"aaa"))
        #expect(line.hasSuffix("a… (4030 bytes)"))
        #expect(line.count < 230)
    }

    @Test("A bump that is larger than needed is reported, but not a finding")
    func largerBump() throws {
        let old = TestPlan.folder([("1-0-0", Self.second)])
        let new = TestPlan.folder([("1-0-0", Self.second), ("2-0-0", Self.first)])
        let diff = try PlanDiff(new, against: (old, "old"))
        #expect(diff.findingCount == 0)
        #expect(diff.text.contains("a 1-0-0 -> 2-0-0: MODEL is more than needed, ADDITION is enough"))
    }
}
