import PlanPages
import Testing
import TrackingPlan

@Suite("Property tables")
struct PropertyTableTests {
    private static func plan(_ schemas: [String]) throws -> EventPlan {
        try EventPlan(
            PlanFolder(
                files: schemas.enumerated().map {
                    PlanFile(path: "events/a/1-0-\($0.offset).json", bytes: Array($0.element.utf8))
                }))
    }

    /// The rows of the newest version's table.
    private static func rows(_ schema: String) throws -> [String] {
        try PlanPage.markdown(plan([schema])).split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
    }

    @Test(
        "Rows show what applies to each value",
        arguments: [
            // An array that contains itself ends.
            (
                ##"{"$defs":{"l":{"type":"array","maxItems":3,"items":{"$ref":"#/$defs/l"}}},"properties":{"a":{"$ref":"#/$defs/l"}}}"##,
                [
                    "| `a` | array of arrays | no | at most 3 elements |  |  |",
                    "| `a[]` | array of arrays |  | at most 3 elements |  |  |",
                ]
            ),
            // The strictest mark, and no limit that applies only to some values.
            (
                #"""
                {"properties":{"a":{"anyOf":[{"type":"string","maxLength":5,"x-pii":false},
                 {"type":"string","minLength":6,"maxLength":50,"x-pii":true}]}}}
                """#,
                ["| `a` | string | no |  |  | personal |"]
            ),
            (
                #"{"properties":{"a":{"oneOf":[{"const":"a"},{"const":"b"}]}}}"#,
                [#"| `a` | string | no | `"a"`, `"b"` |  |  |"#]
            ),
            (
                #"{"properties":{"a":{"oneOf":[{"const":"a"},{"type":"string"}]}}}"#,
                ["| `a` | string | no |  |  |  |"]
            ),
            (
                #"{"properties":{"a":{"enum":["a","b"],"allOf":[{"enum":["b","c"]}]}}}"#,
                [#"| `a` | string | no | `"b"` |  |  |"#]
            ),
            (
                #"{"properties":{"a":{"type":"integer","minimum":0,"anyOf":[{"maximum":5},{"maximum":100}]}}}"#,
                ["| `a` | integer | no | at least 0 |  |  |"]
            ),
            (
                #"{"properties":{"a":{"type":"integer","maximum":9,"allOf":[{"maximum":5},{"maximum":100}]}}}"#,
                ["| `a` | integer | no | at most 5 |  |  |"]
            ),
            (
                #"{"properties":{"a":{"anyOf":[{"type":"string","maxLength":9},{"type":"null"}]}}}"#,
                ["| `a` | string or null | no | at most 9 characters |  |  |"]
            ),
            // Several alternatives describe one property.
            (
                #"""
                {"oneOf":[{"properties":{"kind":{"const":"a"},"x":{"type":"string","maxLength":9,"x-pii":false}}},
                 {"properties":{"kind":{"const":"b"},"x":{"type":"string","maxLength":90,"x-pii":"drop"}}},
                 {"properties":{"kind":{"const":"c"},"y":{"type":"string","maxLength":7}}}]}
                """#,
                [
                    #"| `kind` | string | no | `"a"`, `"b"`, `"c"` |  |  |"#,
                    "| `x` | string | no |  |  | personal, never stored |",
                    "| `y` | string | no | at most 7 characters |  |  |",
                ]
            ),
            // Parts without a name.
            (
                #"""
                {"properties":{"a":{"type":"array","prefixItems":[{"type":"string","x-pii":true},{"type":"integer"}]}},
                 "patternProperties":{"^x":{"type":"boolean"}},
                 "additionalProperties":{"type":"object","properties":{"b":{"type":"string","x-pii":"hash"}}}}
                """#,
                [
                    "| `a` | array | no |  |  |  |", "| `a[0]` | string |  |  |  | personal |",
                    "| `a[1]` | integer |  |  |  |  |", "| `/^x/` | boolean |  |  |  |  |",
                    "| `*` | object |  |  |  |  |", "| `*.b` | string | no |  |  | personal, stored as a hash |",
                ]
            ),
            (
                #"{"properties":{"a":{"type":"array","items":{"type":"array","items":{"type":"string","x-pii":true}}}}}"#,
                ["| `a` | array of arrays of strings | no |  |  |  |", "| `a[][]` | string |  |  |  | personal |"]
            ),
        ] as [(String, [String])])
    func rows(_ schema: String, _ expected: [String]) throws {
        #expect(try Self.rows(schema) == expected)
    }

    @Test("The table is truncated if references multiply properties, with a note")
    func multiplied() throws {
        let steps = (0..<16).map { step in
            ##""a\##(step)":{"properties":{"x":{"$ref":"#/$defs/a\##(step + 1)"},"y":{"$ref":"#/$defs/a\##(step + 1)"}}}"##
        }
        let schema = ##"{"$ref":"#/$defs/a0","$defs":{\##(steps.joined(separator: ",")),"a16":{}}}"##
        #expect(try Self.rows(schema).count == 1000)
        let reason =
            "Only 1000 properties are listed, and the history covers only these: references expand to more than a "
            + "page can show."
        #expect(try PlanPage.markdown(Self.plan([schema])).contains(reason))
        #expect(try PlanPage.html(Self.plan([schema])).contains("<p>\(reason)</p>"))
    }

    @Test("Long chains of references do not overflow the stack")
    func chain() throws {
        let steps = (0..<5000).map { ##""a\##($0)":{"$ref":"#/$defs/a\##($0 + 1)"}"## }
        let definitions = steps.joined(separator: ",") + #","a5000":{"type":"null"}"#
        let schema = ##"{"properties":{"a":{"$ref":"#/$defs/a0"}},"$defs":{\##(definitions)}}"##
        #expect(try Self.rows(schema) == ["| `a` | null | no |  |  |  |"])
    }

    @Test("Properties are not shown as personal before they are marked")
    func marked() throws {
        let page = try PlanPage.markdown(
            Self.plan([
                #"{"properties":{"a":{"type":"string"},"b":{"type":"string","x-pii":true}}}"#,
                #"{"properties":{"a":{"type":"string","x-pii":false},"b":{"type":"string","x-pii":false}}}"#,
            ]))
        #expect(page.contains("- **1-0-1**:\n  - `b`: no longer personal\n- **1-0-0**"))
    }

    @Test("The unit of a number is shown next to its limits, and in the history")
    func units() throws {
        let old = #"{"properties":{"a":{"type":"integer","minimum":0,"maximum":60,"x-unit":"s"}}}"#
        let new = #"{"properties":{"a":{"type":"integer","minimum":0,"maximum":60,"x-unit":"ms"}}}"#
        #expect(try Self.rows(old) == ["| `a` | integer | no | 0 to 60, in s |  |  |"])
        let page = try PlanPage.markdown(Self.plan([old, new]))
        #expect(page.contains("- **1-0-1**:\n  - `a`: limits: 0 to 60, in ms instead of 0 to 60, in s\n"))
    }
}
