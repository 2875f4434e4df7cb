import CommandRunner
import Foundation
import Testing

@Suite("trackctl schema diff")
struct TrackctlSchemaDiffTests {
    private let folder: TemporaryFolder

    init() async throws {
        folder = try TemporaryFolder()
        for path in ["Schemas/container", "Schemas/events/a"] {
            try FileManager.default.createDirectory(atPath: folder.path(path), withIntermediateDirectories: true)
        }
        try folder.write("{}", to: "Schemas/container/1-0-0.json")
        try folder.write(#"{"type": "string"}"#, to: "Schemas/events/a/1-0-0.json")
        for arguments in [
            ["init", "-q"], ["add", "-A"],
            ["-c", "user.name=Test", "-c", "user.email=test@example.com", "commit", "-q", "-m", "Test"],
        ] {
            let result = try await runProgram("/usr/bin/env", ["git", "-C", folder.path("")] + arguments)
            try #require(result.exitCode == 0)
        }
    }

    private func diff(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(["schema", "diff"] + arguments)
    }

    @Test("accepts unchanged schemas, and new versions with the right number")
    func fits() async throws {
        let same = try await diff(folder.path("Schemas"), "--against", "git:HEAD")
        #expect(same.lines == ["against   git:HEAD", "schemas   2", "compared  0", "findings  0"])
        #expect(same.exitCode == 0 && same.stderr == "")
        try folder.write(#"{"type": "string", "minLength": 1}"#, to: "Schemas/events/a/2-0-0.json")
        let newer = try await diff(folder.path("Schemas"), "--against", "git:HEAD")
        #expect(newer.lines.contains("a 1-0-0 -> 2-0-0: MODEL is right"))
        #expect(newer.exitCode == 0)
    }

    @Test("says so if nothing is published, and rejects a folder without schemas")
    func nothingPublished() async throws {
        let empty = try await diff(folder.path("Schemas"), "--against", folder.path(".git"))
        #expect(empty.exitCode == 65)
        #expect(
            empty.stderr == "trackctl: \(folder.path(".git")) has no schemas: pass the folder that contains events/\n")
        try FileManager.default.createDirectory(
            atPath: folder.path("App/events/a"), withIntermediateDirectories: true)
        try folder.write("{}", to: "App/events/a/1-0-0.json")
        let new = try await diff(folder.path("App"), "--against", "git:HEAD")
        #expect(new.exitCode == 0)
        #expect(
            new.stderr
                == "trackctl: no schemas in \(folder.path("App")) at HEAD: treating all schemas as new\n")
    }

    @Test("finds a version number that is too small, with an event that shows it")
    func tooSmall() async throws {
        try folder.write(#"{"type": "string", "minLength": 1}"#, to: "Schemas/events/a/1-0-1.json")
        for against in [["--against", "git:HEAD"], []] {
            let result = try await trackctl(["schema", "diff", folder.path("Schemas")] + against)
            #expect(
                result.lines.contains("a 1-0-0 -> 1-0-1: ADDITION is too small, MODEL is required: rename it to 2-0-0"))
            #expect(result.lines.contains("            valid before, invalid now: \"\""))
            #expect(result.exitCode == 1 && result.stderr == "")
        }
        let json = try await diff(folder.path("Schemas"), "--against", "git:HEAD", "--json")
        #expect(json.lines.count == 1)
        #expect(json.text.hasPrefix(#"{"against":"git:HEAD","findings":1,"events":[{"name":"a","#))
        #expect(json.exitCode == 1)
    }

    @Test(
        "reports each finding at its line, as annotations and as SARIF",
        arguments: [
            (#"{"type": "string", \#n "minLength": 1}"#, "1-0-1", "version-too-small", 2, 15),
            (#"{"type": "string", \#n "title": "é", "maxLength": 9}"#, "1-0-0", "published-changed", 2, 30),
        ])
    func formats(_ schema: String, _ version: String, _ rule: String, _ line: Int, _ column: Int) async throws {
        try folder.write(schema, to: "Schemas/events/a/\(version).json")
        let file = folder.path("Schemas/events/a/\(version).json")
        let github = try await diff(folder.path("Schemas"), "--against", "git:HEAD", "--format", "github")
        #expect(github.exitCode == 1)
        #expect(
            github.lines.contains {
                $0.hasPrefix("::error file=\(file),line=\(line),col=\(column),title=\(rule)::a")
            }, "\(github.lines)")
        let sarif = try await diff(folder.path("Schemas"), "--against", "git:HEAD", "--format", "sarif")
        #expect(sarif.exitCode == 1 && sarif.lines.count == 1)
        // The column counts code points in SARIF, and bytes in annotations.
        let character = column - (schema.contains("é") ? 1 : 0)
        #expect(sarif.text.contains(#""region":{"startColumn":\#(character),"startLine":\#(line)}"#))
        #expect(sarif.text.contains(#""ruleId":"\#(rule)""#))
    }

    @Test("reports a published version that is missing")
    func missing() async throws {
        try FileManager.default.removeItem(atPath: folder.path("Schemas/events/a"))
        let result = try await diff(folder.path("Schemas"), "--against", "git:HEAD", "--format", "github")
        let file = folder.path("Schemas/events/a/1-0-0.json")
        #expect(result.lines.count == 1)
        #expect(result.lines[0].hasPrefix("::error file=\(file),line=1,col=1,title=published-removed::a/1-0-0: "))
    }

    @Test("accepts one format")
    func oneFormat() async throws {
        let result = try await diff(folder.path("Schemas"), "--json", "--format", "sarif")
        #expect(result.exitCode == 64)
        #expect(result.stderr.contains("--json and --format both set the format: pass only one of them"))
    }

    @Test("compares with another folder")
    func otherFolder() async throws {
        try FileManager.default.copyItem(atPath: folder.path("Schemas"), toPath: folder.path("old"))
        try folder.write(#"{"type": "string", "title": "A"}"#, to: "Schemas/events/a/1-0-0.json")
        let result = try await diff(folder.path("Schemas"), "--against", folder.path("old"))
        #expect(
            result.lines.contains(
                "a/1-0-0: published, but changed: restore \(folder.path("Schemas"))/events/a/1-0-0.json, and save the changed schema as 1-0-1"
            ))
        #expect(result.exitCode == 1)
    }

    @Test(
        "rejects what it cannot compare",
        arguments: [
            ("git:nope", Int32(66), "unknown revision nope"), ("git:", 64, "--against needs a folder"),
            ("nope", 66, "the folder nope does not exist"),
        ])
    func refusals(_ against: String, _ code: Int32, _ message: String) async throws {
        let result = try await diff(folder.path("Schemas"), "--against", against)
        #expect(result.exitCode == code)
        #expect(result.stderr.hasPrefix("trackctl: \(message)"))
        #expect(result.text == "")
    }

    @Test("rejects an unreadable schema, and names it")
    func unreadable() async throws {
        try folder.write(#"{"type": "strng"}"#, to: "Schemas/events/a/1-0-1.json")
        let result = try await diff(folder.path("Schemas"), "--against", "git:HEAD")
        #expect(result.exitCode == 65)
        #expect(result.stderr.hasPrefix("trackctl: \(folder.path("Schemas"))/events/a/1-0-1.json: "))
    }
}
