import CommandRunner
import Foundation
import Testing

@Suite("trackctl schema codegen")
struct TrackctlCodegenTests {
    private static let schema = """
        {"type": "object", "required": ["name", "value"], "additionalProperties": false, "properties": {
        "name": {"const": "basket-opened"},
        "value": {"type": "object", "required": ["items"], "additionalProperties": false, "properties": {
        "items": {"type": "TYPE", "minimum": 0}}}}}
        """

    private static func schemas(_ folder: TrackctlFolder, type: String) throws -> String {
        let event = folder("Schemas/events/basket-opened")
        try FileManager.default.createDirectory(atPath: event, withIntermediateDirectories: true)
        _ = try folder.file(
            "Schemas/events/basket-opened/1-0-0.json", schema.replacingOccurrences(of: "TYPE", with: type))
        return folder("Schemas")
    }

    @Test("writes a file for each event, and with --check compares them")
    func codegen() async throws {
        let folder = try TrackctlFolder()
        let call = [
            "schema", "codegen", "--schemas", try Self.schemas(folder, type: "integer"), "--output", folder("Events"),
        ]
        let missing = try await trackctl(call + ["--check"])
        #expect(missing.exitCode == 1)
        #expect(
            missing.stderr == """
                trackctl: these files are not up to date:
                \(folder("Events"))/BasketOpened.swift is missing: generate it again

                """)
        let made = try await trackctl(call + ["--access", "public"])
        #expect(made.text == "BasketOpened.swift\n")
        #expect(made.exitCode == 0)
        let code = String(decoding: folder.bytes("Events/BasketOpened.swift") ?? [], as: UTF8.self)
        #expect(code.contains("public struct BasketOpened: TrackingEvent, Equatable {"))
        let checked = try await trackctl(call + ["--access", "public", "--check"])
        #expect(checked.exitCode == 0)
        #expect(checked.text == "")
        #expect(try await trackctl(call + ["--check"]).exitCode == 1)
    }

    @Test("refuses schemas that have no types with 65, and no folder with 66")
    func issues() async throws {
        let folder = try TrackctlFolder()
        let schemas = try Self.schemas(folder, type: "null")
        let refused = try await trackctl(["schema", "codegen", "--schemas", schemas, "--output", folder("E")])
        #expect(refused.exitCode == 65)
        #expect(
            refused.stderr == """
                trackctl: these schemas cannot become Swift code:
                \(schemas)/events/basket-opened/1-0-0.json:4:19: error: /properties/value/properties/items/type: null cannot be \
                translated to Swift: for null, omit the property from required

                """)
        let none = try await trackctl(["schema", "codegen", "--schemas", folder("none"), "--output", folder("E")])
        #expect(none.exitCode == 66)
        let empty = try await trackctl(["schema", "codegen", "--schemas", schemas + "/events", "--output", folder("E")])
        #expect(empty.exitCode == 65)
        #expect(empty.stderr.contains("\(schemas)/events has no schemas: pass the folder that contains events/\n"))
        #expect(try folder.names() == ["Schemas"])
    }

    @Test("has a help that starts with examples")
    func help() async throws {
        let result = try await trackctl(["schema", "codegen", "--help"])
        #expect(result.exitCode == 0)
        let lines = result.text.split(separator: "\n", omittingEmptySubsequences: false)
        #expect(lines[2] == "Examples:")
        #expect(lines[3...5].allSatisfy { $0.hasPrefix("  trackctl schema codegen --") })
        #expect(lines.allSatisfy { $0.count <= 80 || $0.hasPrefix("USAGE:") })
    }
}
