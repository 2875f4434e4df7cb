import CommandRunner
import Foundation
import Testing

@Suite("trackctl finds the plan of the package that it runs in")
struct TrackctlDefaultPlanTests {
    private let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        _ = try folder.file("a.jsonl", [PlannedLine()].text)
        // A folder of Swift files may have the name, too.
        try FileManager.default.createDirectory(
            atPath: folder("Sources/Tables/Schemas"), withIntermediateDirectories: true)
        _ = try folder.file("Sources/Tables/Schemas/Table.swift", "")
    }

    /// Makes a plan with one event in a folder.
    private func plan(in path: String, event: String) throws {
        try FileManager.default.createDirectory(
            atPath: folder("\(path)/events/\(event)"), withIntermediateDirectories: true)
        _ = try folder.file(
            "\(path)/events/\(event)/1-0-0.json",
            """
            {"$id": "https://example.com/events/\(event)/1-0-0.json", "type": "object",
             "properties": {"name": {"const": "\(event)"}}}

            """)
    }

    /// Runs trackctl in the folder.
    private func runHere(_ arguments: String...) async throws -> CommandResult {
        try await runProgram(
            "/bin/sh", ["-c", #"cd "$0" && exec "$@""#, folder.path, CommandLocation.path(of: "trackctl")] + arguments)
    }

    @Test("The only Sources/*/Schemas with a plan is used, for schemas and for logs")
    func target() async throws {
        try plan(in: "Sources/Shop/Schemas", event: "order")
        let lint = try await runHere("schema", "lint")
        #expect(
            lint.exitCode == 1 && lint.lines.first?.hasPrefix("Sources/Shop/Schemas/events/order/1-0-0.json:") == true)
        #expect(try await runHere("schema", "lock").text == "1 schema locked, 1 of them new\n")
        #expect(folder.bytes("Sources/Shop/Schemas/schemas.lock") != nil)
        #expect(try await runHere("schema", "diff").exitCode == 0)
        #expect(try await runHere("schema", "docs").lines.first == "Sources/Shop/Schemas/README.md: written")
        let validate = try await runHere("validate", "a.jsonl", "--format", "json")
        #expect(validate.text.contains(#""schemas":"Sources/Shop/Schemas""#) && validate.exitCode == 0)
        #expect(try await runHere("coverage", "a.jsonl").text.contains("order/1-0-0"))
    }

    @Test("Schemas has priority over a target's")
    func root() async throws {
        try plan(in: "Sources/Shop/Schemas", event: "order")
        try plan(in: "Schemas", event: "basket")
        #expect(try await runHere("schema", "lint").lines.first?.hasPrefix("Schemas/events/basket/") == true)
    }

    @Test("Several plans are listed, and the error says how to pass one")
    func several() async throws {
        try plan(in: "Sources/Shop/Schemas", event: "order")
        try plan(in: "Sources/Admin/Schemas", event: "login")
        let list = "several plans here: pass one of Sources/Admin/Schemas, Sources/Shop/Schemas"
        for command in [["lint"], ["lock"], ["diff"], ["docs"]] {
            let result = try await runHere("schema", command[0])
            #expect(result.stderr == "trackctl: \(list) as the last argument\n" && result.exitCode == 64)
        }
        let result = try await runHere("validate", "a.jsonl")
        #expect(result.stderr == "trackctl: \(list) by --schemas\n" && result.exitCode == 64)
        #expect(try await runHere("schema", "lock", "Sources/Admin/Schemas").exitCode == 0)
    }

    @Test("Without a plan the error says what to pass")
    func none() async throws {
        let missing = "no folder Schemas here, and no plan in Sources/*/Schemas: pass the folder that has events/"
        let lint = try await runHere("schema", "lint")
        #expect(lint.stderr == "trackctl: \(missing) as the last argument\n" && lint.exitCode == 66)
        let codegen = try await runHere("schema", "codegen", "--output", "x")
        #expect(codegen.stderr == "trackctl: \(missing) by --schemas\n" && codegen.exitCode == 66)
        let other = try await runHere("schema", "lint", "Plan")
        #expect(
            other.stderr
                == "trackctl: the folder Plan does not exist: pass the folder with events/, such as Sources/App/Schemas\n"
        )
        #expect(try await runHere("generate", "--count", "1").exitCode == 0)
    }
}
