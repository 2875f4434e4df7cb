import CommandRunner
import Foundation
import Testing

@Suite("trackctl schema")
struct TrackctlSchemaTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        for path in ["container", "events/a", "examples/good"] {
            try FileManager.default.createDirectory(
                atPath: folder.path(path), withIntermediateDirectories: true)
        }
        try folder.write(
            Self.document("container", "Line", "\"event\": {\"const\": 1, \"description\": \"It.\"}"),
            to: "container/1-0-0.json")
        try folder.write(event, to: "events/a/1-0-0.json")
    }

    private let event: String = document(
        "events/a", "a", "\"name\": {\"const\": \"a\", \"description\": \"Its name.\"}")

    private static func document(_ path: String, _ title: String, _ property: String) -> String {
        """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "$id": "https://schemas.example.com/\(path)/1-0-0.json",
          "title": "\(title)",
          "description": "It.",
          "type": "object",
          "required": ["\(path == "container" ? "event" : "name")"],
          "additionalProperties": false,
          "properties": {\(property)},
          "examples": [\(path == "container" ? "{\"event\": 1}" : "{\"name\": \"a\"}")]
        }
        """
    }

    private func schema(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(["schema", arguments[0], folder.path("")] + arguments.dropFirst())
    }

    @Test("an app's folder, without a container, can be locked, compared and described")
    func app() async throws {
        try FileManager.default.removeItem(atPath: folder.path("container"))
        #expect(try await schema("lock").text == "1 schema locked, 1 of them new\n")
        #expect(try await schema("diff").exitCode == 0)
        let pages = try await schema("docs")
        #expect(pages.exitCode == 0, "\(pages.stderr)")
        #expect(try String(decoding: folder.read("README.md"), as: UTF8.self).contains("events/a/1-0-0.json"))
    }

    private func breakEvent() throws {
        try folder.write(event.replacing("\"title\": \"a\"", with: "\"titel\": \"a\""), to: "events/a/1-0-0.json")
    }

    @Test("lint reports nothing for schemas that follow the rules")
    func clean() async throws {
        let result = try await schema("lint")
        #expect(result.text == "" && result.stderr == "" && result.exitCode == 0)
        #expect(try await schema("lint", "--format", "json").text == "{\"findings\":[],\"notes\":[],\"warnings\":[]}\n")
    }

    @Test(
        "lint writes findings for editors, for programs and for a forge",
        arguments: [
            (
                "text",
                [
                    "FOLDER/events/a/1-0-0.json:1:1: add a title [described]",
                    "FOLDER/events/a/1-0-0.json:4:12: unknown keyword titel: write title [unknown-keyword]",
                ]
            ),
            (
                "json",
                [
                    #"{"findings":["#
                        + #"{"column":1,"file":"FOLDER/events/a/1-0-0.json","line":1,"message":"add a title","pointer":"","rule":"described","severity":"error"},"#
                        + #"{"column":12,"file":"FOLDER/events/a/1-0-0.json","line":4,"message":"unknown keyword titel: write title","pointer":"/titel","rule":"unknown-keyword","severity":"error"}"#
                        + #"],"notes":[],"warnings":[]}"#
                ]
            ),
            (
                "github",
                [
                    "::error file=FOLDER/events/a/1-0-0.json,line=1,col=1,title=described::add a title",
                    "::error file=FOLDER/events/a/1-0-0.json,line=4,col=12,title=unknown-keyword::unknown keyword titel: write title",
                ]
            ),
        ] as [(String, [String])])
    func findings(_ format: String, _ lines: [String]) async throws {
        try breakEvent()
        let result = try await schema("lint", "--format", format)
        #expect(result.lines.map { $0.replacing(folder.path, with: "FOLDER") } == lines)
        #expect(result.stderr == "trackctl: 2 findings; see trackctl schema lint --rules\n" && result.exitCode == 1)
    }

    @Test("a missing folder is 66, one without schemas is 65", arguments: ["lint", "lock", "docs"])
    func noSchemas(_ command: String) async throws {
        #expect(try await trackctl(["schema", command, folder.path("none")]).exitCode == 66)
        let result = try await trackctl(["schema", command, folder.path("examples")])
        #expect(result.exitCode == 65 && result.stderr.hasPrefix("trackctl: \(folder.path("examples")) "))
    }

    @Test("lock reports each finding at its line, as annotations")
    func lockFormats() async throws {
        #expect(try await schema("lock").exitCode == 0)
        let path = "events/a/1-0-0.json"
        #expect(try await schema("lock", "--check", "--format", "github").lines == [])
        try FileManager.default.removeItem(atPath: folder.path(path))
        let missing = try await schema("lock", "--check", "--format", "github")
        let lock = try String(contentsOfFile: folder.path("schemas.lock"), encoding: .utf8).split(separator: "\n")
        let line = try #require(lock.firstIndex { $0.hasSuffix(path) }) + 1
        #expect(missing.exitCode == 1 && missing.lines.count == 1)
        let location = "file=\(folder.path("schemas.lock")),line=\(line),col=1"
        #expect(missing.lines[0].hasPrefix("::error \(location),title=locked-missing::\(path): "))
        let usage = try await schema("lock", "--format", "sarif")
        #expect(usage.exitCode == 64 && usage.stderr.contains("--format sarif needs --check"))
    }

    @Test("lock adds new schemas, and stops at one that changed")
    func lock() async throws {
        let missing = try await schema("lock", "--check")
        #expect(missing.exitCode == 1)
        #expect(
            missing.lines
                == ["container/1-0-0.json", "events/a/1-0-0.json"].map {
                    "\(folder.path)/\($0): not published yet: lock it with trackctl schema lock"
                })
        #expect(try await schema("lock").text == "2 schemas locked, 2 of them new\n")
        #expect(try await schema("lock").text == "2 schemas locked, 0 of them new\n")
        #expect(try await schema("lock", "--check").exitCode == 0)
        let sums = try await runProgram("/bin/sh", ["-c", "cd \"$0\" && sha256sum -c schemas.lock", folder.path])
        #expect(sums.text == "container/1-0-0.json: OK\nevents/a/1-0-0.json: OK\n")

        let locked = try folder.read("schemas.lock")
        try breakEvent()
        for arguments in [["lock"], ["lock", "--check"]] {
            let result = try await trackctl(["schema", arguments[0], folder.path("")] + arguments.dropFirst())
            #expect(result.exitCode == 1 && result.stderr == "trackctl: 1 schema differs from schemas.lock\n")
            #expect(result.lines.first?.contains("events/a/1-0-0.json: changed since it was published") == true)
        }
        #expect(try folder.read("schemas.lock") == locked)

        try folder.write("nonsense\n", to: "schemas.lock")
        #expect(try await schema("lock").exitCode == 65)
    }

    @Test("docs writes the pages, and reports stale ones")
    func docs() async throws {
        let pages = ["README.md", "index.html", "RULES.md", "VERSIONS.md"].map { "\(folder.path)/\($0)" }
        let stale = try await schema("docs", "--check")
        #expect(stale.lines == pages.map { "\($0): stale" } && stale.exitCode == 1)
        #expect(
            stale.stderr == "trackctl: pages are out of date: run trackctl schema docs \(folder.path) and commit them\n"
        )
        #expect(try await schema("docs").lines == pages.map { "\($0): written" })
        #expect(try await schema("docs").lines == [])
        #expect(try await schema("docs", "--check").exitCode == 0)
        try folder.write(event.replacing("\"It.\"", with: "\"That.\""), to: "events/a/1-0-0.json")
        #expect(try await schema("docs", "--check").lines == pages.dropLast(2).map { "\($0): stale" })
    }

    @Test("lint and lock warn about stale pages of docs, and do not fail more often than before")
    func staleDocs() async throws {
        _ = try await schema("docs")
        #expect(try await schema("lint").text == "")
        #expect(try await schema("lock").stderr == "")
        // A page that docs has not written is ignored.
        try folder.write("# Mine\n", to: "RULES.md")
        try FileManager.default.removeItem(atPath: folder.path("schemas.lock"))
        try folder.write(event.replacing("\"It.\"", with: "\"That.\""), to: "events/a/1-0-0.json")
        let advice = "out of date: run trackctl schema docs \(folder.path)"
        let lint = try await schema("lint")
        #expect(
            lint.lines
                == ["README.md", "index.html"].map { "\(folder.path)/\($0):1:1: warning: \(advice) [stale-docs]" })
        #expect(lint.exitCode == 0)
        let json = try await schema("lint", "--format", "json")
        #expect(
            json.text.hasPrefix(
                #"{"findings":[],"notes":[],"warnings":[{"column":1,"file":"\#(folder.path)/README.md","#))
        #expect(json.text.contains(#""rule":"stale-docs","severity":"warning"}"#))
        let annotations = try await schema("lint", "--format", "github")
        #expect(annotations.lines.first?.hasPrefix("::warning file=\(folder.path)/README.md,line=1,col=1") == true)
        let lock = try await schema("lock")
        #expect(lock.stderr == "trackctl: \(folder.path)/README.md, \(folder.path)/index.html: \(advice)\n")
        #expect(lock.exitCode == 0)
    }

    @Test("docs does not change a page that it did not write")
    func foreignPage() async throws {
        try folder.write("# Mine\n", to: "README.md")
        let result = try await schema("docs")
        #expect(
            result.stderr == "trackctl: \(folder.path)/README.md was not written by trackctl: move it, then try again\n"
        )
        #expect(result.exitCode == 65)
        #expect(!FileManager.default.fileExists(atPath: folder.path("index.html")))
    }

    @Test("docs and lock report when they cannot write")
    func cannotWrite() async throws {
        for name in ["RULES.md", "schemas.lock"] {
            try FileManager.default.createDirectory(atPath: folder.path("\(name)/x"), withIntermediateDirectories: true)
        }
        #expect(try await schema("docs").exitCode == 74)
        #expect(try await schema("lock").exitCode == 74)
    }
}
