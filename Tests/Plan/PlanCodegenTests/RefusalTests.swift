import Foundation
import PlanCodegen
import Testing
import TrackingPlan

/// Unsupported schemas are rejected with the location and with advice.
@Suite("Unsupported schemas")
struct RefusalTests {
    /// One schema per line, followed by its errors, indented. Run with GOLDEN=record to write the file.
    private static func table(_ name: String, code: (String) -> String) throws {
        let path = "\(FixturePlan.golden)/\(name)"
        let table = try String(contentsOfFile: path, encoding: .utf8)
        var text = ""
        for line in table.split(separator: "\n") where !line.hasPrefix(" ") {
            text += "\(line)\n"
            for issue in code(String(line)).split(separator: "\n") { text += "    \(issue)\n" }
        }
        if ProcessInfo.processInfo.environment["GOLDEN"] == "record" {
            try text.write(toFile: path, atomically: true, encoding: .utf8)
        }
        #expect(text.split(separator: "\n") == table.split(separator: "\n"))
    }

    @Test("Errors in properties give advice at the keyword")
    func properties() throws {
        try Self.table("refused-properties.txt") { schema in
            FixturePlan.code(FixturePlan.folder(property: schema))
                .replacing("S/events/basket-opened/1-0-0.json:6:", with: "column ")
                .replacing("error: /properties/value/properties/it", with: "it")
        }
    }

    @Test("Errors in events describe the form of an event")
    func events() throws {
        try Self.table("refused-events.txt") { schema in
            FixturePlan.code(FixturePlan.event(schema)).replacing(
                "S/events/basket-opened/1-0-0.json:1:", with: "column ")
        }
    }

    @Test("Recursive, hiding and duplicate definitions are rejected")
    func definitions() {
        let endless = FixturePlan.folder(
            property: ##"{"$ref": "#/$defs/a"}"##,
            root: ##""$defs": {"a": {"type": "array", "items": {"$ref": "#/$defs/a"}}},"##)
        #expect(FixturePlan.code(endless).contains("a references itself, which structs cannot: remove the cycle"))
        let twins = FixturePlan.folder(
            value: """
                {"type": "object", "additionalProperties": false, "properties": {
                "one": {"enum": ["a"], "x-swift-type": "Kind"}, "two": {"enum": ["b"], "x-swift-type": "Kind"}}}
                """)
        #expect(FixturePlan.code(twins).contains("two types here have the name Kind: rename one with x-swift-type"))
        let names = FixturePlan.folder(
            value: """
                {"type": "object", "additionalProperties": false, "properties": {
                "a_b": {"type": "string"}, "aB": {"type": "string"}}}
                """)
        #expect(FixturePlan.code(names).contains("two members have the Swift name aB"))
    }

    @Test(
        "Ineffective x-pii annotations are rejected",
        arguments: [
            (#"{"type": "integer", "x-pii": "hash"}"#, "only strings can be redacted"),
            (#"{"enum": ["a"], "x-pii": "hash"}"#, "only strings can be redacted"),
            (#"{"type": "array", "items": {"type": "string"}, "x-pii": "truncate:2"}"#, "only strings can be redacted"),
            (#"{"type": "object", "x-open": true, "x-pii": "hash"}"#, "only strings can be redacted"),
            (#"{"type": "object", "additionalProperties": false, "x-pii": "hash"}"#, "only strings can be redacted"),
            (#"{"type": "string", "x-pii": "drop"}"#, "a definition cannot be dropped"),
            (#"{"type": "string", "x-pii": 5}"#, "x-pii must be false, true"),
            (#"{"type": "boolean", "x-pii": "secret"}"#, "x-pii must be false, true"),
            (##"{"$ref": "#/$defs/e", "x-pii": "hash"}"##, "x-pii has no effect on a reference"),
        ])
    func privacy(definition: String, message: String) {
        let root = #""$defs": {"e": {"type": "string"}, "d":"# + "\n\(definition)},"
        let code = FixturePlan.code(FixturePlan.folder(property: ##"{"$ref": "#/$defs/d"}"##, root: root))
        #expect(code.hasPrefix("S/events/basket-opened/1-0-0.json:3:"))
        #expect(code.contains("error: /$defs/d/x-pii: \(message)"))
    }

    @Test("An x-pii annotation on the whole event is rejected")
    func wholePrivacy() {
        let value = ##"{"$ref": "#/$defs/d", "x-pii": "hash"}"##
        let root = ##""$defs": {"d": {"type": "object", "additionalProperties": false, "x-pii": "drop"}},"##
        #expect(FixturePlan.code(FixturePlan.folder(value: value, root: root)).split(separator: "\n").count == 2)
        let open = FixturePlan.folder(property: #"{"type": "boolean"}"#, root: #""x-pii": "hash","#)
        #expect(FixturePlan.code(open).contains("error: /x-pii: the event itself is always written"))
        let hashed = FixturePlan.folder(
            property: ##"{"$ref": "#/$defs/d"}"##, root: ##""$defs": {"d": {"type": "string", "x-pii": "hash"}},"##)
        #expect(FixturePlan.code(hashed).contains("json.hash(it)"))
    }

    @Test("All errors are reported together")
    func all() {
        let folder = FixturePlan.folder(
            value: """
                {"type": "object", "additionalProperties": false, "properties": {
                "one": {"type": "null"},
                "two": {"type": "string", "pattern": "(?=a)"}}}
                """)
        #expect(FixturePlan.code(folder).split(separator: "\n").count == 2)
    }

    @Test("Events with colliding Swift names, and events of the SDK, are rejected")
    func names() throws {
        func event(_ name: String) -> PlanFile {
            PlanFile(
                path: "events/\(name)/1-0-0.json",
                bytes: Array(
                    """
                    {"type": "object", "required": ["name"], "additionalProperties": false,
                    "properties": {"name": {"const": "\(name)"}}}
                    """.utf8))
        }
        #expect(
            FixturePlan.code(PlanFolder(name: "S", files: [event("a-b1"), event("a-b-1")])) == """
                S/events/a-b1/1-0-0.json:1:1: error: a-b-1 already has the Swift name AB1: give this one another name with x-swift-name
                S/events/a-b1/1-0-0.json:1:1: error: a-b-1 already has the Swift name aB1: give this one another name with x-swift-factory
                """)
        #expect(
            FixturePlan.code(PlanFolder(name: "S", files: [event("sign-in"), event("signin")])) == """
                S/events/signin/1-0-0.json:1:1: error: sign-in already has the Swift name Signin, except for capital letters: \
                give this one another name with x-swift-name
                """)
        func named(_ annotation: String) -> String {
            FixturePlan.code(
                FixturePlan.event(
                    """
                    {"type": "object", "required": ["name"], "additionalProperties": false, \(annotation),
                    "properties": {"name": {"const": "basket-opened"}}}
                    """))
        }
        #expect(
            named(#""x-swift-factory": "launch""#) == """
                S/events/basket-opened/1-0-0.json:1:1: error: launch already has the Swift name launch: give this one another \
                name with x-swift-factory
                """)
        #expect(
            named(#""x-swift-name": "PageView""#) == """
                S/events/basket-opened/1-0-0.json:1:1: error: page-view already has the Swift name PageView: give this one \
                another name with x-swift-name
                """)
        #expect(
            FixturePlan.code(PlanFolder(name: "S", files: [event("search")])) == """
                S/events/search/1-0-0.json:1:1: error: search/1-0-0 is already in the plan with different content: give the event another name or version
                """)
        let later = PlanFile(path: "events/search/1-0-1.json", bytes: event("search").bytes)
        #expect(
            FixturePlan.code(PlanFolder(name: "S", files: [later])) == """
                S/events/search/1-0-1.json:1:1: error: the SDK already has an event search: choose another name
                """)
    }

    @Test("Invalid JSON is reported in a form that editors can open")
    func locations() {
        let text = FixturePlan.event("{\n \"é\": 1,\n}")
        #expect(
            FixturePlan.code(text)
                == "S/events/basket-opened/1-0-0.json:3:1: error: not JSON: expected a name in quotes")
        let location = PlanFolder(name: "S", files: [PlanFile(path: "events/a.json", bytes: [])])
        #expect(FixturePlan.code(location).hasPrefix("S/events/a.json:1:1: error: "))
    }

    @Test("Examples with missing properties are reported")
    func examples() throws {
        let folder = FixturePlan.folder(
            property: #"{"type": "integer"}"#,
            root: #""examples": [{"name": "basket-opened", "value": {"it": "one"}}],"#)
        let generator = try CodeGenerator(folder, access: .internal)
        let error = #expect(throws: CodegenError.self) { try generator.examples(named: "E.swift") }
        #expect(
            error?.message
                == "S/events/basket-opened/1-0-0.json:2:56: error: /examples/0/value/it: the example's value is not of type Int: correct it"
        )
    }
}
