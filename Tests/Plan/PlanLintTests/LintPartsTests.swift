import PlanLint
import Testing

@Suite("Lint findings with references and combined schemas")
struct LintPartsTests {
    /// Returns an object that references these definitions, each at least once.
    private static func value(_ properties: String, definitions: String, more: String = "") -> LintExample {
        .value(
            """
            "type": "object", "additionalProperties": false, "properties": {\(properties)}, "$defs": {\(definitions)}\(more)
            """)
    }

    private static let location = "#/properties/value/$defs"

    @Test(
        "Properties without a type are found",
        arguments: [
            #""anyOf": [true]"#, #""allOf": [{"minLength": 1}]"#, #""anyOf": [{"type": "string", "maxLength": 1}, {}]"#,
            #""not": {"type": "null"}"#, #""if": {"minLength": 1}, "then": {"type": "boolean"}"#,
            #""$ref": "https://schemas.example.com/events/sign-up/1-0-0.json#/$defs/d""#,
        ])
    func untyped(_ text: String) {
        let example = LintExample.member(
            #"""
            "x-open": "so that it can be tested", "x-pii": false, "$defs": {"d": {}, "e": {"type": "object",
             "additionalProperties": false, "properties": {"a": {"description": "A.", \#(text)},
             "b": {"$ref": "#/$defs/d", "description": "B."}, "c": {"$ref": "#/$defs/e"}}}},
             "dependentSchemas": {"name": {"$ref": "#/$defs/e"}}
            """#)
        let found = PlanLinter.findings(in: example.folder).filter { $0.rule == "typed" }
        #expect(found.map(\.pointer) == ["/$defs/e/properties/a", "/$defs/e/properties/b"])
    }

    @Test(
        "Rules apply to the combined schema of a value",
        arguments: [
            (#""anyOf": [{"type": "string"}, {"type": "null"}], "maxLength": 10, "x-pii": false"#, []),
            (#""anyOf": [{"type": "string", "maxLength": 10}, {"type": "null"}], "x-pii": false"#, []),
            (
                #""anyOf": [{"type": "string"}, {"type": "null"}], "x-pii": false"#,
                ["string-bounds /properties/a/anyOf/0"]
            ),
            (
                #""anyOf": [{"const": "a"}, {"type": "string", "maxLength": 10}]"#,
                ["pii-marked /properties/a/anyOf/1"]
            ),
            (#""type": "string", "allOf": [{"maxLength": 10}, {"x-pii": true}]"#, []),
            (
                #""type": "string", "anyOf": [{"maxLength": 1}, {"pattern": "^a$"}], "x-pii": true"#,
                ["string-bounds /properties/a"]
            ),
            (#""type": ["string", "null"], "allOf": [{"type": ["null", "integer"]}]"#, []),
            (#""anyOf": [{"type": "integer"}, {"type": "null"}], "minimum": 1, "maximum": 2"#, []),
            (
                #""anyOf": [{"type": "integer", "minimum": 1}, {"type": "null"}]"#,
                ["integer-bounds /properties/a/anyOf/0"]
            ),
            (#""type": "array", "allOf": [{"maxItems": 2}], "items": {"type": "null"}"#, []),
            (#""type": "array", "maxItems": 2, "items": {"type": "null"}, "contains": {"minimum": 1}"#, []),
            (
                #""type": "string", "format": "date-time""#, ["string-bounds /properties/a"]
            ),
            (#""type": "string", "format": "time""#, ["string-bounds /properties/a"]),
        ] as [(String, [String])])
    func whole(_ keywords: String, _ expected: [String]) {
        #expect(LintCase.findings(.property("\"a\": {\(keywords), \"description\": \"A.\"}")) == expected)
    }

    @Test(
        "Open objects are found, except those closed where they are used",
        arguments: [
            // Extended by one schema, and used unchanged by another.
            (
                value(
                    ##"""
                    "a": {"description": "A.", "allOf": [{"$ref": "\##(location)/base"}], "unevaluatedProperties": false,
                     "properties": {"y": {"type": "boolean", "description": "Y."}}}
                    """##,
                    definitions:
                        #""base": {"type": "object", "properties": {"x": {"type": "boolean", "description": "X."}}}"#),
                []
            ),
            (
                value(
                    ##"""
                    "a": {"description": "A.", "$ref": "\##(location)/base", "unevaluatedProperties": false},
                     "b": {"description": "B.", "$ref": "\##(location)/base"}
                    """##, definitions: #""base": {"type": "object"}"#),
                ["closed-objects /properties/b"]
            ),
            (
                value(
                    ##""a": {"description": "A.", "$ref": "\##(location)/base"}"##,
                    definitions: #""base": {"type": "object"}"#),
                ["closed-objects /$defs/base"]
            ),
            // A condition describes no value.
            (
                value(
                    #""kind": {"enum": ["a", "b"], "description": "Which."}"#, definitions: "",
                    more: #", "if": {"properties": {"kind": {"const": "a"}}}, "then": {"required": ["kind"]}"#),
                []
            ),
            (
                value(
                    #""kind": {"enum": ["a", "b"], "description": "Which."}"#, definitions: "",
                    more: #", "not": {"properties": {"kind": {"const": "a"}, "x": {}}, "required": ["kind"]}"#),
                []
            ),
            // An alternative may constrain a property that is described in an enclosing schema.
            (
                value(
                    #""kind": {"type": "string", "maxLength": 9, "description": "Which.", "x-pii": false}"#,
                    definitions: "",
                    more: #", "if": {"required": ["kind"]}, "then": {"properties": {"kind": {"pattern": "^a$"}}}"#),
                []
            ),
            (
                value(
                    #""a": {"description": "A.", "anyOf": [{"type": "object"}, {"type": "null"}]}"#, definitions: ""),
                ["closed-objects /properties/a/anyOf/0"]
            ),
        ] as [(LintExample, [String])])
    func open(_ example: LintExample, _ expected: [String]) { #expect(LintCase.findings(example) == expected) }

    @Test(
        "Unused definitions and dead references are found",
        arguments: [
            (
                value(
                    "",
                    definitions: ##"""
                        "a": {"type": "array", "maxItems": 1, "items": {"$ref": "\##(location)/b"}},
                        "b": {"type": "array", "maxItems": 1, "items": {"$ref": "\##(location)/a"}}
                        """##),
                ["unused-definition /$defs/a", "unused-definition /$defs/b"]
            ),
            (
                value(
                    #""a": {"$ref": "https://json-schema.org/draft/2020-12/schema", "description": "A."}"#,
                    definitions: ""),
                []
            ),
            (
                value(
                    ##""a": {"$ref": "https://json-schema.org/draft/2020-12/meta/core#/$defs/uriString", "description": "A."}"##,
                    definitions: ""), []
            ),
            (
                value(#""a": {"$ref": "https://json-schema.org/draft/2020-12/nothing"}"#, definitions: ""),
                ["dead-reference /properties/a/$ref"]
            ),
            (
                value(##""a": {"$ref": "https://json-schema.org/draft/2020-12/schema#/nope"}"##, definitions: ""),
                ["dead-reference /properties/a/$ref"]
            ),
            (
                value(
                    ##""a": {"$ref": "\##(location)/d"}"##, definitions: #""d": {"type": "boolean"}"#),
                ["described /properties/a"]
            ),
        ] as [(LintExample, [String])])
    func references(_ example: LintExample, _ expected: [String]) { #expect(LintCase.findings(example) == expected) }

    @Test(
        "Undescribed required members are found",
        arguments: [
            (
                value(
                    #""a": {"type": "boolean", "description": "A.", "x-pii": "drop"}"#, definitions: "",
                    more: #", "allOf": [{"required": ["a"]}]"#),
                ["pii-handling /properties/a/x-pii"]
            ),
            (
                value(
                    #""a": {"type": "boolean", "description": "A.", "x-pii": "drop"}"#, definitions: "",
                    more: #", "dependentRequired": {"b": ["a"]}"#),
                ["pii-handling /properties/a/x-pii"]
            ),
            (
                value(
                    #""a": {"type": "boolean", "description": "A."}"#, definitions: "",
                    more:
                        #", "required": ["b"], "anyOf": [{"required": ["a"]}, {"properties": {"b": {"const": 1, "description": "B."}}}]"#
                ),
                ["required-defined /required/0"]
            ),
            (
                value(
                    "", definitions: "",
                    more: #", "required": ["bc", "c"], "patternProperties": {"^b[a-z]$": {"const": 1}}"#),
                ["required-defined /required/1"]
            ),
        ] as [(LintExample, [String])])
    func required(_ example: LintExample, _ expected: [String]) { #expect(LintCase.findings(example) == expected) }

    @Test(
        "Unanchored patterns are found",
        arguments: [
            ("^yes|no$", false), ("^yes$|^no$", true), ("^(yes|no)$", true), ("^a\\\\$", true), ("^a\\$", false),
            ("^[|$]$", true), ("^[a\\]|]$", true), ("^", false), ("$", false), ("", false), ("^$", true),
            ("^a|", false),
            ("^(a|b$)", false),
        ])
    func patterns(_ pattern: String, _ isAnchored: Bool) {
        let text = pattern.replacing("\\", with: "\\\\")
        let own = LintExample.property(
            #""a": {"type": "string", "maxLength": 9, "pattern": "\#(text)", "description": "A.", "x-pii": false}"#)
        #expect(LintCase.findings(own) == (isAnchored ? [] : ["pattern-anchored /properties/a/pattern"]))
        let names = LintExample.value(
            #""type": "object", "additionalProperties": false, "patternProperties": {"\#(text)": {"type": "null"}}"#)
        #expect(LintCase.findings(names).count == (isAnchored ? 0 : 1))
    }

    @Test("Long lists and long chains of references are fast")
    func large() {
        let values = (0..<3000).map { #""value \#($0)""# }.joined(separator: ",")
        #expect(LintCase.findings(.property(#""a": {"enum": [\#(values)], "description": "A."}"#)) == [])
        let repeated = LintCase.findings(.property(#""a": {"enum": [\#(values),\#(values)], "description": "A."}"#))
        #expect(repeated.count == 3000)
        let chain = (0..<200).map { ##""d\##($0)": {"$anchor": "d\##($0)", "$ref": "#d\##($0 + 1)"}"## }
        let example = Self.value(
            ##""a": {"$ref": "#d0", "description": "A."}"##,
            definitions: chain.joined(separator: ",")
                + #","d200": {"$anchor": "d200", "type": "string", "maxLength": 1}"#)
        #expect(LintCase.findings(example) == ["pii-marked /$defs/d200"])
    }
}

/// The findings of the linter in a part of a plan.
enum LintCase {
    /// The rules and locations of all findings, without their common prefix.
    static func findings(_ example: LintExample) -> [String] {
        PlanLinter.findings(in: example.folder).map {
            let location = "/properties/value"
            let pointer = $0.pointer.hasPrefix(location) ? String($0.pointer.dropFirst(location.count)) : $0.pointer
            return "\($0.rule) \(pointer)"
        }
    }
}
