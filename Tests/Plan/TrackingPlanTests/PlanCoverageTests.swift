import JSONSchema
import Testing
import TrackingPlan

@Suite("Coverage")
struct PlanCoverageTests {
    private static func plan(_ schema: String, and other: String = "{}") throws -> EventPlan {
        try EventPlan(
            PlanFolder(files: [
                PlanFile(path: "container/1-0-0.json", bytes: Array("{}".utf8)),
                PlanFile(path: "events/a/1-0-0.json", bytes: Array(schema.utf8)),
                PlanFile(path: "events/b/1-0-0.json", bytes: Array(other.utf8)),
            ]))
    }

    @Test(
        "Every property and every enumerated value is a point, including nested and optional ones",
        arguments: [
            ("{}", []),
            (
                #"{"properties":{"value":{"properties":{"a/b":true,"no":false,"c":{"type":"boolean"}}}}}"#,
                ["/event/value", "/event/value/a~1b", "/event/value/c", "/event/value/c=false", "/event/value/c=true"]
            ),
            (
                #"{"properties":{"a":{"type":["boolean","null"]},"b":{"type":["boolean","string"]},"c":{"enum":[1,1.0]}}}"#,
                ["/event/a", "/event/a=false", "/event/a=true", "/event/b", "/event/c", "/event/c=1"]
            ),
            (
                #"{"properties":{"a":{"enum":["x",1,null]},"b":{"const":{"c":[]}}}}"#,
                [
                    "/event/a", #"/event/a="x""#, "/event/a=1", "/event/a=null", "/event/b", #"/event/b={"c":[]}"#,
                ]
            ),
            (
                #"{"properties":{"list":{"items":{"properties":{"id":{}}},"prefixItems":[{"const":1}]}}}"#,
                ["/event/list", "/event/list/*", "/event/list/*/id", "/event/list/*=1"]
            ),
            (
                #"{"additionalProperties":{"type":"boolean"},"patternProperties":{"^x":{"const":2}}}"#,
                ["/event/*", "/event/*=false", "/event/*=true", "/event/*=2"]
            ),
            (
                #"""
                {"oneOf":[{"properties":{"kind":{"const":"a"},"a":{}}},{"properties":{"kind":{"const":"b"}}}],
                 "if":{"required":["a"]},"then":{"properties":{"c":{}}},"allOf":[{"properties":{"a":{}}}]}
                """#,
                ["/event/a", #"/event/kind="a""#, #"/event/kind="b""#, "/event/c", "/event/kind"]
            ),
            (
                ##"""
                {"$defs":{"node":{"properties":{"next":{"$ref":"#/$defs/node"}}}},
                 "properties":{"first":{"$ref":"#/$defs/node"},"other":{"$ref":"b/1-0-0.json#/$defs/x"}}}
                """##,
                ["/event/first", "/event/first/next", "/event/other", "/event/other/deep"]
            ),
        ] as [(String, [String])])
    func points(schema: String, expected: [String]) throws {
        let text = #"{"$id":"https://e.com/events/a/1-0-0.json","# + schema.dropFirst()
        let plan = try Self.plan(
            schema == "{}" ? schema : schema.hasPrefix("{") ? text.replacing(",}", with: "}") : text,
            and: ##"{"$id":"https://e.com/events/b/1-0-0.json","$defs":{"x":{"properties":{"deep":{}}}}}"##
                .replacing("events/b", with: schema.contains("b/1-0-0") ? "events/a/b" : "events/b"))
        let map = CoverageMap(plan.events[0], at: "/event", in: plan)
        #expect(map.points.map(\.description).sorted() == expected.sorted())
    }

    @Test(
        "A value covers its points",
        arguments: [
            ("{}", []),
            (#"{"a":1}"#, ["/a"]),
            (#"{"a":2.0}"#, ["/a", "/a=2"]),
            (
                #"{"list":[{"on":true},{"id":null}]}"#,
                ["/list", "/list/*", "/list/*/on", "/list/*/on=true", "/list/*/id"]
            ),
            (#"{"other":1,"list":{}}"#, ["/list"]),
            (#"{"u":"\u0061"}"#, ["/u", #"/u="a""#]),
        ] as [(String, [String])])
    func marks(value: String, expected: [String]) throws {
        let plan = try Self.plan(
            #"""
            {"properties":{"a":{"enum":[2,"2"]},"u":{"const":"a"},
             "list":{"items":{"properties":{"on":{"type":"boolean"},"id":{}}}}}}
            """#)
        let map = CoverageMap(plan.events[0], at: "", in: plan)
        var marks = Array(repeating: false, count: map.points.count)
        map.mark(try JSONDocument(value.utf8).root, in: &marks)
        #expect(zip(map.points, marks).filter(\.1).map(\.0.description).sorted() == expected.sorted())
    }

    @Test("The map is incomplete if references multiply too much")
    func multiplied() throws {
        let steps = (0..<20).map { step in
            ##""a\##(step)":{"properties":{"x":{"$ref":"#/$defs/a\##(step + 1)"},"y":{"$ref":"#/$defs/a\##(step + 1)"}}}"##
        }
        let plan = try Self.plan(##"{"$ref":"#/$defs/a0","$defs":{\##(steps.joined(separator: ",")),"a20":{}}}"##)
        let map = CoverageMap(plan.events[0], at: "/event", in: plan)
        #expect(!map.isComplete)
        #expect(map.points.count == 10_000)
        let small = try Self.plan("{}")
        #expect(CoverageMap(small.events[0], at: "", in: small).isComplete)
    }

    @Test("A reference is followed once per value")
    func alternatives() throws {
        let steps = (0..<20).map { step in
            ##""a\##(step)":{"anyOf":[{"$ref":"#/$defs/a\##(step + 1)"},{"$ref":"#/$defs/a\##(step + 1)"}]}"##
        }
        let plan = try Self.plan(
            ##"{"$ref":"#/$defs/a0","$defs":{\##(steps.joined(separator: ",")),"a20":{"properties":{"x":{"const":1}}}}}"##
        )
        let map = CoverageMap(plan.events[0], at: "/event", in: plan)
        #expect(map.isComplete)
        #expect(map.points.map(\.description) == ["/event/x", "/event/x=1"])
    }

    @Test("Long chains of references do not overflow the stack")
    func chain() throws {
        let steps = (0..<2000).map { ##""a\##($0)":{"$ref":"#/$defs/a\##($0 + 1)"}"## }
        let plan = try Self.plan(##"{"$ref":"#/$defs/a0","$defs":{\##(steps.joined(separator: ",")),"a2000":{}}}"##)
        #expect(!CoverageMap(plan.events[0], at: "/event", in: plan).isComplete)
    }
}
