import CommandRunner
import Foundation
import JSONLines
import Testing

@Suite("trackctl generate")
struct TrackctlGenerateTests {
    private let folder: TrackctlFolder

    init() throws { folder = try TrackctlFolder() }

    private func generate(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(["generate"] + arguments)
    }

    /// A plan of an app: an event with every kind of value.
    private func schemas() throws -> String {
        try FileManager.default.createDirectory(
            atPath: folder("app/events/order-placed"), withIntermediateDirectories: true)
        _ = try folder.file(
            "app/events/order-placed/1-0-0.json",
            """
            {"$id": "https://example.com/events/order-placed/1-0-0.json", "type": "object",
             "required": ["name", "value"], "additionalProperties": false, "properties": {
                "name": {"const": "order-placed"},
                "value": {"type": "object", "required": ["state", "items"], "additionalProperties": false, "properties": {
                    "state": {"enum": ["open", "paid", "sent"]}, "gift": {"type": "boolean"},
                    "code": {"type": "string", "pattern": "^[A-Z]{2}-[0-9]{4}$"},
                    "items": {"type": "array", "minItems": 1, "maxItems": 4, "items": {"$ref": "#/$defs/item"}}}}},
             "$defs": {"item": {"type": "object", "required": ["sku"], "additionalProperties": false, "properties": {
                "sku": {"type": "string", "minLength": 1, "maxLength": 12}, "price": {"type": "number", "multipleOf": 0.01}}}}}
            """)
        return folder("app")
    }

    @Test("Lines for a plan are valid, cover all of it, and have no gaps")
    func valid() async throws {
        let file = folder("made.jsonl")
        let made = try await generate("--count", "2_000", "--to", file, "--seed", "7", "--schemas", "Schemas")
        #expect(made.stderr == "trackctl: 2,000 lines in \(file)\n" && made.exitCode == 0)
        let validated = try await trackctl(["validate", file, "--schemas", "Schemas"])
        #expect(validated.exitCode == 0, "\(validated.text)")
        let coverage = try await trackctl(["coverage", file, "--schemas", "Schemas", "--threshold", "100"])
        #expect(coverage.exitCode == 0, "\(coverage.text)")
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
        let doctor = try await trackctl(["doctor", file, "--thorough"])
        #expect(doctor.exitCode == 0, "\(doctor.text)")
        #expect(doctor.text.contains("file-numbers         \(file): 100 installs without errors"))
    }

    @Test("Events of an app's plan are generated like those of the SDK")
    func appPlan() async throws {
        let plan = try schemas()
        let file = folder("made.jsonl.gz")
        #expect(try await generate("--count", "1e3", "--to", file, "--schemas", plan).exitCode == 0)
        for command in [["validate"], ["coverage", "--threshold", "100"]] {
            let checked = try await trackctl(command + [file, "--schemas", plan])
            #expect(checked.exitCode == 0, "\(checked.text)")
        }
    }

    @Test("The same seed gives the same bytes, fewer lines are a prefix, another seed gives others")
    func seeds() async throws {
        let made = try await generate("--count", "200", "--seed", "3")
        #expect(made.lines.count == 200 && made.stderr.isEmpty)
        #expect(try await generate("--count", "200", "--seed", "3").stdout == made.stdout)
        #expect(try await generate("--count", "50", "--seed", "3").lines == Array(made.lines.prefix(50)))
        #expect(try await generate("--count", "200", "--seed", "4").stdout != made.stdout)
    }

    @Test("One event is selected, by its file or by a pattern")
    func oneEvent() async throws {
        let named = try await generate("--schema", "search", "--count", "30")
        #expect(named.lines.allSatisfy { $0.contains(#""schema":"search/1-0-0""#) } && named.lines.count == 30)
        #expect(try await generate("--schema", "search/1-0-0", "--count", "30").stdout == named.stdout)
        let byFile = try await generate("--schema", "Schemas/events/search/1-0-0.json", "--count", "30")
        #expect(byFile.stdout == named.stdout)
        #expect(try await generate("--event", "se*", "--count", "30").stdout == named.stdout)
    }

    @Test("Any other schema gives its values, one per line")
    func plainSchema() async throws {
        let schema = try folder.file(
            "order.json",
            #"{"type": "object", "required": ["n"], "properties": {"n": {"type": "integer", "minimum": 5}}}"#)
        let made = try await generate("--schema", schema, "--count", "20")
        #expect(made.exitCode == 0 && made.lines.count == 20)
        for line in made.lines {
            let number = try #require(try JSONParser.parse(line.utf8)["n"]?.integerValue)
            #expect(number >= 5)
        }
    }

    @Test("Users, start and count follow the options")
    func options() async throws {
        let made = try await generate("--count", "1k", "--users", "2", "--start", "2026-03-01T08:00:00Z")
        let lines = try made.lines.map { try JSONParser.parse($0.utf8) }
        #expect(lines.count == 1000)
        #expect(lines.first?["time"] == 1_772_352_000)
        #expect(Set(lines.compactMap { $0["install_id"]?.stringValue }).count == 2)
    }

    @Test("An error is reported with the location and an exit code")
    func errors() async throws {
        let unknown = try await generate("--schema", "nope")
        #expect(unknown.exitCode == 64 && unknown.stderr.contains("use one of background, launch"))
        let missing = try await generate("--schema", "nope.json")
        #expect(missing.exitCode == 66 && missing.stderr.contains("cannot open nope.json: no such file"))
        #expect(try await generate("--schema", "Schemas/events/nope/1-0-0.json").exitCode == 66)
        #expect(try await generate("--event", "nope").exitCode == 64)
        #expect(try await generate("--count", "0").exitCode == 64)
        #expect(try await generate("--count", "1e99").exitCode == 64)
        #expect(try await generate("--users", "2M").exitCode == 64)
        #expect(try await generate("--start", "1969-01-01").exitCode == 64)
        #expect(try await generate("--to", folder("x.sqlite")).exitCode == 64)
        let impossible = try folder.file(
            "impossible.json",
            #"{"type": "object", "required": ["a"], "properties": {"a": {"minLength": 2, "maxLength": 1, "type": "string"}}}"#
        )
        let refused = try await generate("--schema", impossible, "--to", folder("none.jsonl"))
        #expect(refused.exitCode == 65 && refused.stdout.isEmpty)
        #expect(refused.stderr.hasPrefix("trackctl: \(impossible)#/properties/a: no value was found"))
        #expect(try folder.names() == ["impossible.json"])
        let broken = try await generate("--schema", try folder.file("broken.json", "{"))
        #expect(broken.exitCode == 65 && broken.stderr.contains("broken.json"))
    }

    @Test("A reader that closes the pipe ends it without a message")
    func closedPipe() async throws {
        let trackctl = try CommandLocation.path(of: "trackctl")
        let script = "\"$1\" generate --count 1M | head -n 1 | wc -l"
        let result = try await runProgram("/bin/bash", ["-c", script, "-", trackctl])
        #expect(result.text.trimmingCharacters(in: .whitespacesAndNewlines) == "1" && result.stderr.isEmpty)
    }
}
