import Foundation
import PlanLint
import Testing
import TrackingPlan

@Suite("The linter")
struct PlanLinterTests {
    static let schemas = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Schemas").standardized
        .path

    @Test("The schemas of this package have no findings")
    func clean() throws {
        #expect(try PlanLinter.findings(in: PlanFolder(path: Self.schemas)).map(\.description) == [])
    }

    @Test("Findings have a location and advice, in text order")
    func locations() throws {
        let text = """
            {
              "$schema": "https://json-schema.org/draft/2020-12/schema",
              "$id": "https://schemas.example.com/events/a/1-0-0.json",
              "title": "a", "description": "A.",
              "type": "object", "required": ["name"], "additionalProperties": false,
              "properties": {
                "name": {"const": "a", "description": "Its name."},
                "ä": {"type": "string", "maxlength": 3}
              },
              "examples": [{"name": "b"}]
            }
            """
        let folder = PlanFolder(
            files: LintExample.paths([]).folder.files + [
                PlanFile(path: "events/a/1-0-0.json", bytes: Array(text.utf8))
            ])
        #expect(
            PlanLinter.findings(in: folder).map(\.description) == [
                "events/a/1-0-0.json:8:11: add a description of ä [described]",
                "events/a/1-0-0.json:8:11: rename ä: use a-z, 0-9 and single _, start with a letter, at most 64 bytes "
                    + "[property-name]",
                "events/a/1-0-0.json:8:11: add a maxLength for ä [string-bounds]",
                "events/a/1-0-0.json:8:11: mark ä with x-pii: false if it is not personal, else true, \"drop\", "
                    + "\"hash\" or \"truncate:N\" [pii-marked]",
                "events/a/1-0-0.json:8:43: unknown keyword maxlength: write maxLength [unknown-keyword]",
                "events/a/1-0-0.json:10:25: correct the example or the schema: must be \"a\" [examples-valid]",
            ])
    }

    @Test("Any file in the folder can be read")
    func anything() {
        let files = [
            ("events/a/1-0-0.json", "{"), ("events/b/1-0-0.json", "[]"), ("events/c/1-0-0.json", "true"),
            ("events/d/1-0-0.json", #"{"properties": [], "required": 3, "enum": {}, "$defs": null, "x-lint": []}"#),
            ("events/e/1-0-0.json", ""), ("container/1-0-0.json", #"{"$id": 3, "$ref": [], "allOf": [1, {}]}"#),
        ]
        let folder = PlanFolder(files: files.map { PlanFile(path: $0.0, bytes: Array($0.1.utf8)) })
        let found = PlanLinter.findings(in: folder).map { "\($0.path):\($0.line):\($0.column) \($0.rule)" }
        #expect(
            found.filter { $0.hasSuffix("not-json") } == [
                "events/a/1-0-0.json:1:2 not-json", "events/b/1-0-0.json:1:1 not-json",
                "events/c/1-0-0.json:1:1 not-json", "events/e/1-0-0.json:1:1 not-json",
            ])
        #expect(found.contains("events/d/1-0-0.json:1:16 meta-schema"))
    }

    @Test("An empty folder has no findings")
    func empty() { #expect(PlanLinter.findings(in: PlanFolder(files: [])) == []) }
}
