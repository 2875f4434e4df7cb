import PlanLint
import Testing
import TrackingPlan

@Suite("Lint findings")
struct LintCaseTests {
    @Test(
        "In properties",
        arguments: [
            (#""a": true"#, ["typed /properties/a"]),
            (#""a": false"#, []),
            (#""a": {"type": "boolean", "description": "  "}"#, ["described /properties/a/description"]),
            (
                #""a": {"type": "boolean", "description": " TODO"}"#,
                ["placeholder-description /properties/a/description"]
            ),
            (#""a": {"type": "boolean", "description": "TODOs that are done."}"#, []),
            (#""a__b": {"type": "boolean", "description": "A."}"#, ["property-name /properties/a__b"]),
            (#""1a": {"type": "boolean", "description": "A."}"#, ["property-name /properties/1a"]),
            (#""": {"type": "boolean", "description": "A."}"#, ["property-name /properties/"]),
            (
                #""a": {"type": "integer", "exclusiveMinimum": 0, "exclusiveMaximum": 1e16, "description": "A."}"#,
                ["integer-bounds /properties/a/exclusiveMaximum"]
            ),
            (
                #""a": {"type": "integer", "minimum": -9007199254740992, "maximum": 0, "description": "A."}"#,
                ["integer-bounds /properties/a/minimum"]
            ),
            (#""a": {"type": "integer", "enum": [1, 2], "description": "A."}"#, []),
            (#""a": {"type": ["integer", "null"], "enum": [1, null], "x-unit": "EUR", "description": "A."}"#, []),
            (#""a": {"enum": [1, 2.5], "x-unit": "m/s", "description": "A."}"#, []),
            (#""a": {"enum": [1], "x-unit": " ", "description": "A."}"#, ["unit-value /properties/a/x-unit"]),
            (#""a": {"enum": [1], "x-unit": 1, "description": "A."}"#, ["unit-value /properties/a/x-unit"]),
            (#""a": {"enum": [1, "1"], "x-unit": "ms", "description": "A."}"#, ["unit-value /properties/a/x-unit"]),
            (#""a": {"type": "boolean", "x-unit": "ms", "description": "A."}"#, ["unit-value /properties/a/x-unit"]),
            (
                #""a": {"type": "number", "minimum": 1.50, "exclusiveMaximum": 1.5, "description": "A."}"#,
                ["limits-agree /properties/a/minimum"]
            ),
            (
                #""a": {"type": "number", "exclusiveMinimum": 1, "maximum": 1.0, "description": "A."}"#,
                ["limits-agree /properties/a/exclusiveMinimum"]
            ),
            (#""a": {"type": "number", "minimum": 1, "maximum": 1.0, "description": "A."}"#, []),
            (
                #""a": {"type": "array", "minItems": 3, "maxItems": 2, "items": {"type": "null"}, "description": "A."}"#,
                ["limits-agree /properties/a/minItems"]
            ),
            (
                #""a": {"type": "array", "items": false, "prefixItems": [{"type": "null"}], "description": "A."}"#, []
            ),
            (
                #""a": {"type": "array", "maxItems": 2, "items": {"type": "string"}, "description": "A."}"#,
                ["string-bounds /properties/a/items", "pii-marked /properties/a/items"]
            ),
            (
                #""a": {"type": "array", "maxItems": 2, "items": true, "description": "A."}"#,
                ["typed /properties/a/items"]
            ),
            (
                #""a": {"type": ["string", "null"], "description": "A."}"#,
                ["string-bounds /properties/a", "pii-marked /properties/a"]
            ),
            (#""a": {"type": "string", "format": "uuid", "description": "A."}"#, []),
            (#""a": {"type": "string", "format": "ipv4", "description": "A."}"#, ["pii-marked /properties/a"]),
            (
                #""a": {"type": "string", "format": "email", "x-pii": true, "description": "A."}"#,
                ["string-bounds /properties/a"]
            ),
            (
                #""a": {"type": "string", "maxLength": 9, "pattern": "^(", "x-pii": true, "description": "A."}"#,
                ["meta-schema /properties/a/pattern", "pattern-anchored /properties/a/pattern"]
            ),
            (
                #""a": {"type": "string", "maxLength": 9, "pattern": "^a\\$", "x-pii": true, "description": "A."}"#,
                ["pattern-anchored /properties/a/pattern"]
            ),
            (#""a": {"enum": [1, 1.0, "1"], "description": "A."}"#, ["duplicate-enum /properties/a/enum/1"]),
            (
                #""a": {"enum": [{"x": 1, "y": [2]}, {"y": [2], "x": 1}], "description": "A."}"#,
                ["duplicate-enum /properties/a/enum/1"]
            ),
            (
                #""a": {"type": "integer", "minimum": 1, "maximum": 3, "default": 4, "description": "A."}"#,
                ["values-fit /properties/a/default"]
            ),
            (
                #""a": {"type": "string", "const": "abc", "maxLength": 2, "description": "A."}"#,
                ["values-fit /properties/a/const"]
            ),
            (
                #""a": {"type": "string", "requried": [], "format": "uid", "x-pii": 1, "maxLength": 1, "description": "A."}"#,
                [
                    "unknown-keyword /properties/a/requried", "unknown-format /properties/a/format",
                    "pii-value /properties/a/x-pii",
                ]
            ),
            (
                #""a": {"type": "boolean", "minItems": 1, "properties": {}, "description": "A."}"#,
                [
                    "idle-keyword /properties/a/minItems", "idle-keyword /properties/a/properties",
                ]
            ),
            (
                #""a": {"type": "object", "description": "A.", "additionalProperties": {"type": "boolean"}}"#,
                ["closed-objects /properties/a"]
            ),
            (
                #""a": {"type": "object", "description": "A.", "x-open": "", "x-pii": false}"#,
                ["closed-objects /properties/a/x-open"]
            ),
            (#""a": {"type": "object", "description": "A.", "x-open": "why"}"#, ["pii-marked /properties/a"]),
            (
                #""a": {"type": "boolean", "description": "A.", "x-open": "why", "x-pii": false}"#,
                ["closed-objects /properties/a/x-open"]
            ),
            (
                #""a": {"type": "boolean", "description": "A.", "x-since": "2018-09-12"}"#,
                ["since-date /properties/a/x-since"]
            ),
            (
                #""a": {"type": "boolean", "description": "A.", "x-priority": "critical"}"#,
                ["priority-value /properties/a/x-priority"]
            ),
            (
                #""a": {"type": "boolean", "description": "A.", "x-purpose": "ads"}"#,
                ["purpose-value /properties/a/x-purpose"]
            ),
            (
                #""a": {"type": "boolean", "description": "A.", "x-purpose-justification": "It is needed."}"#,
                ["purpose-justified /properties/a/x-purpose-justification"]
            ),
            (
                #""a": {"$ref": "https://schemas.example.com/container/1-0-0.json#/properties/event"}"#, []
            ),
            (#""a": {"$ref": "../../container/1-0-0.json"}"#, []),
            (#""a": {"$ref": "../../container/2-0-0.json"}"#, ["dead-reference /properties/a/$ref"]),
            (##""a": {"$ref": "#nowhere"}"##, ["dead-reference /properties/a/$ref"]),
            (##""a": {"$ref": "#/properties/name/const"}"##, ["dead-reference /properties/a/$ref"]),
        ] as [(String, [String])])
    func property(_ text: String, _ expected: [String]) {
        #expect(LintCase.findings(.property(text)) == expected)
    }

    @Test(
        "In redactions",
        arguments: [
            (#""type": "string", "maxLength": 64, "x-pii": "hash""#, []),
            (#""type": "string", "maxLength": 63, "x-pii": "hash""#, ["pii-handling /properties/a/x-pii"]),
            (
                #""type": "string", "maxLength": 64, "pattern": "^[g-z]*$", "x-pii": "hash""#,
                ["pii-handling /properties/a/x-pii"]
            ),
            (
                #""type": "integer", "minimum": 0, "maximum": 1, "x-pii": "hash""#, ["pii-handling /properties/a/x-pii"]
            ),
            (#""type": "integer", "minimum": 0, "maximum": 1, "x-pii": "drop""#, []),
            (#""type": "string", "maxLength": 9, "x-pii": "truncate:9""#, []),
            (#""type": "string", "maxLength": 9, "x-pii": "truncate:10""#, ["pii-handling /properties/a/x-pii"]),
            (
                #""type": "string", "minLength": 4, "maxLength": 9, "x-pii": "truncate:3""#,
                ["pii-handling /properties/a/x-pii"]
            ),
            (
                #""type": "string", "maxLength": 9, "pattern": "^.*@.*$", "x-pii": "truncate:3""#,
                ["pii-handling /properties/a/x-pii"]
            ),
            (#""type": "string", "maxLength": 9, "x-pii": "truncate:0""#, ["pii-value /properties/a/x-pii"]),
            (#""type": "string", "maxLength": 9, "x-pii": "truncate:03""#, ["pii-value /properties/a/x-pii"]),
            (#""type": "string", "maxLength": 9, "x-pii": "truncate:""#, ["pii-value /properties/a/x-pii"]),
            (#""type": "string", "maxLength": 9, "x-pii": null"#, ["pii-value /properties/a/x-pii"]),
            (#""type": "string", "maxLength": 9, "x-pii": {}"#, ["pii-value /properties/a/x-pii"]),
        ] as [(String, [String])])
    func personal(_ keywords: String, _ expected: [String]) {
        #expect(LintCase.findings(.property("\"a\": {\(keywords), \"description\": \"A.\"}")) == expected)
    }

    @Test(
        "In the schema of a value",
        arguments: [
            (
                #""type": "object", "unevaluatedProperties": false, "allOf": [{"properties": {"a": {"const": 1, "description": "A."}}}]"#,
                []
            ),
            (
                #""type": "object", "additionalProperties": false, "allOf": [{"properties": {"a": {"const": 1, "description": "A."}}}]"#,
                []
            ),
            (
                ##""type": "object", "additionalProperties": false, "$defs": {"a": {"$ref": "#/properties/value/$defs/a"}}"##,
                ["unused-definition /$defs/a"]
            ),
            (
                ##""type": "object", "additionalProperties": false, "properties": {"a": {"$ref": "#it"}}, "##
                    + #""$defs": {"a": {"$anchor": "it", "const": 1}}"#, ["described /properties/a"]
            ),
            (
                #""type": "object", "additionalProperties": false, "x-priority": "normal""#,
                ["priority-value /x-priority"]
            ),
            (
                #""type": "object", "additionalProperties": false, "required": ["a", "b"], "properties": {"a": {"const": 1, "description": "A."}}"#,
                ["required-defined /required/1"]
            ),
        ] as [(String, [String])])
    func value(_ text: String, _ expected: [String]) {
        #expect(LintCase.findings(.value(text)) == expected)
    }

    @Test(
        "In the root schema",
        arguments: [
            (
                #""const": "sign-up""#, #""const": "signup""#,
                ["event-name /properties/name/const", "examples-valid /examples/0/name"]
            ),
            (
                #""const": "sign-up""#, #""type": "boolean""#,
                ["event-name /properties/name", "examples-valid /examples/0/name"]
            ),
            (#""required": ["name"],"#, "", ["event-name "]),
            (#""$id": "https://schemas."#, #""$id": "https://other."#, ["id-path /$id"]),
            (#""$id": "https://schemas.example.com/"#, #""$id": "/"#, ["id-path /$id"]),
            (
                #""$id": "https://schemas.example.com/events/sign-up/1-0-0.json""#,
                #""$id": "https://schemas.example.com/container/1-0-0.json""#, ["compiles ", "id-path /$id"]
            ),
            (#""title": "sign-up","#, "", ["described "]),
            (#""description": "A person signed up.""#, #""description": """#, ["described /description"]),
            (#""examples": [{"name": "sign-up"}]"#, #""$comment": """#, ["examples-present "]),
            (
                #"[{"name": "sign-up"}]"#, #"[{"name": "sign-up"}, {"name": "sign-up", "x": 1}]"#,
                ["examples-valid /examples/1/x"]
            ),
            (#""additionalProperties": false,"#, "", ["closed-objects "]),
            (#""title": "sign-up","#, #""title": "sign-up", "x-priority": "normal","#, []),
            (#""title": "sign-up","#, #""title": "sign-up", "x-priority": "critical","#, []),
            (
                #""title": "sign-up","#, #""title": "sign-up", "x-priority": "Critical","#,
                ["priority-value /x-priority"]
            ),
            (#""title": "sign-up","#, #""title": "sign-up", "x-priority": true,"#, ["priority-value /x-priority"]),
            (#""title": "sign-up","#, #""title": "sign-up", "x-priority": null,"#, ["priority-value /x-priority"]),
            (
                #""title": "sign-up","#, #""title": "sign-up", "allOf": [{"x-priority": "critical"}],"#,
                ["priority-value /allOf/0/x-priority"]
            ),
        ] as [(String, String, [String])])
    func whole(_ part: String, _ other: String, _ expected: [String]) {
        #expect(LintCase.findings(.event(part, becomes: other)) == expected)
    }

    @Test("A priority in the container's schema is a finding")
    func containerPriority() throws {
        let folder = LintExample.paths(["events/sign-up/1-0-0.json"]).folder
        let container = try #require(folder.file("container/1-0-0.json"))
        let text = String(decoding: container.bytes, as: UTF8.self)
            .replacing("\"title\":", with: "\"x-priority\": \"critical\", \"title\":")
        let files = folder.files.filter { $0 != container } + [PlanFile(path: container.path, bytes: Array(text.utf8))]
        let findings = PlanLinter.findings(in: PlanFolder(files: files))
        #expect(findings.map { "\($0.path) \($0.rule)" } == ["container/1-0-0.json priority-value"])
    }

    @Test(
        "In example lines",
        arguments: [
            (["good/sign-up.jsonl": "{\"event\": {}}\n"], []),
            (["good/other.jsonl": "{\"event\": {}}\n"], ["events/sign-up/1-0-0.json:1:1 good-example"]),
            (
                ["good/sign-up.jsonl": "{\"event\": {}}\n{\"event\": 1}\n\n{\"event\": {}}"],
                [
                    "examples/good/sign-up.jsonl:2:11 good-example", "examples/good/sign-up.jsonl:3:1 good-example",
                    "examples/good/sign-up.jsonl:4:1 good-example",
                ]
            ),
            (["good/sign-up.jsonl": ""], ["examples/good/sign-up.jsonl:1:1 good-example"]),
            (["bad/a.jsonl": "{}\n{\"event\": {}}\n"], ["examples/bad/a.jsonl:2:1 bad-example"]),
            (["bad/torn.jsonl": "{\"event\": {}}"], []),
            (["bad/empty.jsonl": ""], ["examples/bad/empty.jsonl:1:1 bad-example"]),
        ] as [([String: String], [String])])
    func lines(_ files: [String: String], _ expected: [String]) {
        let folder = LintExample.files(files.map { ("examples/\($0.key)", $0.value) }, shows: "").folder
        #expect(PlanLinter.findings(in: folder).map { "\($0.path):\($0.line):\($0.column) \($0.rule)" } == expected)
    }

    @Test(
        "In exceptions",
        arguments: [
            (#"{"string-bounds": "short by nature"}"#, []),
            (#"{"string-bounds": ""}"#, ["string-bounds ", "lint-exception /x-lint/string-bounds"]),
            (#"{"string-bounds": "short", "typed": "who knows"}"#, ["lint-exception /x-lint/typed"]),
            (#"{"string-bound": "short"}"#, ["string-bounds ", "lint-exception /x-lint/string-bound"]),
            (#""string-bounds""#, ["string-bounds ", "lint-exception /x-lint"]),
            (#"{"lint-exception": "I may", "string-bounds": "short"}"#, ["lint-exception /x-lint/lint-exception"]),
        ] as [(String, [String])])
    func exceptions(_ text: String, _ expected: [String]) {
        let location = "/properties/a"
        let found = LintCase.findings(
            .property(#""a": {"type": "string", "x-pii": false, "description": "A.", "x-lint": \#(text)}"#))
        #expect(found.map { $0.split(separator: location, omittingEmptySubsequences: false).joined() } == expected)
    }

    @Test(
        "In paths",
        arguments: [
            (["events/a/1-0-0.json", "events/a/2-0-0.json", "events/a/2-1-0.json"], []),
            (["events/a/1-0-1.json"], ["events/a/1-0-1.json version-gap /$id"]),
            (
                ["events/a/1-0-0.json", "events/a/3-0-0.json", "events/a/3-1-1.json"],
                ["events/a/3-0-0.json version-gap /$id", "events/a/3-1-1.json version-gap /$id"]
            ),
            (["events/a/1-0-0.json", "events/x.json"], ["events/x.json file-name "]),
            (["events/A/1-0-0.json"], ["events/A/1-0-0.json file-name "]),
            (["events/container/1-0-0.json"], ["events/container/1-0-0.json file-name "]),
            (
                ["events/a/1-0-2147483647.json", "events/a/2-0-0.json"],
                ["events/a/1-0-2147483647.json version-gap /$id"]
            ),
        ] as [([String], [String])])
    func paths(_ paths: [String], _ expected: [String]) {
        let findings = PlanLinter.findings(in: LintExample.paths(paths).folder)
        let relevant = findings.filter { !["event-name"].contains($0.rule) }
        #expect(relevant.map { "\($0.path) \($0.rule) \($0.pointer)" } == expected)
    }

    @Test("Placeholders in pages.json and unplanned.json are findings, nested ones too")
    func placeholders() {
        let files = [
            (
                "pages.json",
                #"""
                {"x-pages": {"a": {"description": "TODO: describe a.", "additional": {"label": "b", "description": "TODO",
                "x-pii": false}}, "c": {"description": "What was done."}}}
                """#
            ), ("unplanned.json", #"{"x-unplanned": {"d-shown": {"description": "TODO describe"}}}"#),
        ].map { PlanFile(path: $0.0, bytes: Array($0.1.utf8)) }
        let findings = PlanLinter.findings(in: PlanFolder(files: files)).filter { $0.rule == "placeholder-description" }
        #expect(
            findings.map { "\($0.path) \($0.pointer)" } == [
                "pages.json /x-pages/a/description", "pages.json /x-pages/a/additional/description",
                "unplanned.json /x-unplanned/d-shown/description",
            ])
    }
}
