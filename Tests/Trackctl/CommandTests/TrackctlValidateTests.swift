import CommandRunner
import EventLog
import EventModel
import Foundation
import Testing

@Suite("trackctl validate")
struct TrackctlValidateTests {
    private let folder: TrackctlFolder
    static let schemas = URL(fileURLWithPath: #filePath).appendingPathComponent("../../../../Schemas").standardized.path

    init() throws { folder = try TrackctlFolder() }

    private func validate(_ arguments: String..., stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["validate", "--schemas", Self.schemas] + arguments, stdin: stdin)
    }

    private let good: [PlannedLine] = [
        PlannedLine(), .search("flux", time: "1536753250"), .search("a\\\"", page: "2", time: "1536753249.25"),
    ]

    /// Two errors of one kind, an event and a version that are not in the plan, and three invalid lines.
    static let faulty =
        [
            PlannedLine(), .search("", time: "1536753250"), .search("", page: "0", time: "1536753249"),
            PlannedLine(name: "basket"), PlannedLine(name: "search", schema: "search/2-0-0"),
            PlannedLine(schema: "search/1-0-0"), PlannedLine(time: "1.1234567"),
        ].text + "{\"v\":1,}\n\n" + PlannedLine().text

    @Test("Valid lines are counted by event, and the exit code is 0")
    func clean() async throws {
        let result = try await validate(try folder.file("a.jsonl", good.text))
        #expect(
            result.text == """
                event         lines  valid  invalid  first seen                   last seen
                launch/1-0-0      1      1        0  2018-09-12T11:54:07.500000Z  2018-09-12T11:54:07.500000Z
                search/1-0-0      2      2        0  2018-09-12T11:54:09.250000Z  2018-09-12T11:54:10.000000Z
                total             3      3        0  2018-09-12T11:54:07.500000Z  2018-09-12T11:54:10.000000Z

                in the plan, never seen: background, notification, page-view

                """)
        #expect(result.stderr == "" && result.exitCode == 0)
    }

    @Test("Similar findings are one group with count, times and the location of the first; the exit code is 1")
    func findings() async throws {
        let result = try await validate("-", stdin: Array(Self.faulty.utf8))
        #expect(
            result.text == """
                event         lines  valid  invalid  first seen                   last seen                    \
                sample         lines by finding
                launch/1-0-0      2      1        1  2018-09-12T11:54:07.500000Z  2018-09-12T11:54:07.500000Z  \
                <stdin>:7:158  1 invalid-container
                search/1-0-0      3      0        3  2018-09-12T11:54:07.500000Z  2018-09-12T11:54:10.000000Z  \
                <stdin>:2:235  1 name-mismatch, 2 invalid-event
                basket/1-0-0      1      0        1  2018-09-12T11:54:07.500000Z  2018-09-12T11:54:07.500000Z  \
                <stdin>:4:180  1 unknown-event
                search/2-0-0      1      0        1  2018-09-12T11:54:07.500000Z  2018-09-12T11:54:07.500000Z  \
                <stdin>:5:180  1 unknown-version
                (none)            3      0        3  -                            -                            \
                <stdin>:8:8    2 not-json, 1 torn-line
                total            10      1        9  2018-09-12T11:54:07.500000Z  2018-09-12T11:54:10.000000Z  \
                <stdin>:7:158  2 not-json, 1 torn-line, 1 invalid-container, 1 unknown-event, 1 unknown-version, \
                1 name-mismatch, 2 invalid-event

                in the plan, never seen: background, notification, page-view

                <stdin>:2:235: invalid-event: search/1-0-0: /event/value/query: must have at least 1 character
                    2 times, from 2018-09-12T11:54:09.000000Z to 2018-09-12T11:54:10.000000Z
                    https://schemas.swift-tracking.dev/events/search/1-0-0.json#/properties/value/properties/query/minLength

                <stdin>:3:245: invalid-event: search/1-0-0: /event/value/page: must be at least 1
                    once, at 2018-09-12T11:54:09.000000Z
                    https://schemas.swift-tracking.dev/events/search/1-0-0.json#/properties/value/properties/page/minimum

                <stdin>:4:180: unknown-event: basket/1-0-0: /schema: the plan has no event basket: \
                add events/basket/1-0-0.json
                    once, at 2018-09-12T11:54:07.500000Z

                <stdin>:5:180: unknown-version: search/2-0-0: /schema: the plan has search as 1-0-0, not as 2-0-0
                    once, at 2018-09-12T11:54:07.500000Z

                <stdin>:6:211: name-mismatch: search/1-0-0: /event/name: must be search, as in the line's schema \
                search/1-0-0
                    once, at 2018-09-12T11:54:07.500000Z

                <stdin>:7:158: invalid-container: launch/1-0-0: /time: must have at most six decimals and no exponent
                    once

                <stdin>:8:8: not-json: expected a name in quotes
                    once

                <stdin>:9:1: not-json: expected a value
                    once

                <stdin>:10:1: torn-line: the last line has no line feed: a write was interrupted
                    once

                """)
        #expect(result.stderr == "" && result.exitCode == 1)
    }

    @Test("A line that matches none of the plan's schemas shows none of its values", arguments: formats)
    func noValues(format: String) async throws {
        let line = PlannedLine(
            name: "search", value: #"{"query":17,"page":"secret-a","x":"secret-b"}"#, time: "\"secret-c\"",
            context: #","context":{"sdk":["secret-d"]}"#)
        let result = try await validate("-", "--format", format, stdin: Array("\(line.text)\nsecret-e\n".utf8))
        #expect(result.exitCode == 1)
        #expect(!result.text.contains("secret"))
    }

    static let formats = ["text", "json", "github", "junit", "sarif"]

    @Test("Files, gzip and standard input give the same findings")
    func sameFindings() async throws {
        let plain = try await validate(try folder.file("a.jsonl", Self.faulty)).text
        let packed = try await validate(try folder.file("b.jsonl", try await gzip(Self.faulty))).text
        let piped = try await validate("-", stdin: Array(Self.faulty.utf8)).text
        #expect(packed.replacing(folder("b.jsonl"), with: folder("a.jsonl")) == plain)
        #expect(Self.words(piped) == Self.words(plain.replacing(folder("a.jsonl"), with: "<stdin>")))
    }

    /// Without the padding of columns.
    private static func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }

    @Test("A database is read while an app writes it, with its journal, and locations are numbers", .builtProgram)
    func database() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        let lines = good + [.search("", time: "1536753249")]
        for line in lines {
            _ = store.append { seq in
                var line = line
                line.seq = Int(seq)
                return EventRecord(
                    seq: seq, id: TrackctlLine(seq).id, time: EventTime(seconds: 1), name: line.name,
                    line: Array(line.text.utf8))
            }
        }
        try await store.commit()
        let result = try await validate(folder("a.sqlite"), "--format", "github")
        #expect(
            result.text == """
                ::error file=\(folder("a.sqlite")),title=invalid-event::seq 4: search/1-0-0: /event/value/query: must \
                have at least 1 character

                """)
        #expect(result.exitCode == 1)
        let total = try await validate(folder("a.sqlite"), "--fail-on", "none").lines.first { $0.hasPrefix("total") }
        #expect(total?.hasPrefix("total             4      3        1  ") == true)
        try await store.close()
    }

    @Test("Every valid example is valid, and every file of invalid ones is not")
    func examples() async throws {
        func files(_ kind: String) throws -> [String] {
            let folder = "\(Self.schemas)/examples/\(kind)"
            return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map { "\(folder)/\($0)" }
        }
        let good = try await trackctl(
            ["validate", "--schemas", Self.schemas, "--fail-on", "invalid,unknown,unused"] + files("good"))
        #expect(good.exitCode == 0, "\(good.text)")
        let bad = try await trackctl(["validate", "--schemas", Self.schemas, "--format", "junit"] + files("bad"))
        #expect(bad.exitCode == 1)
        let suites = bad.lines.filter { $0.contains("<testsuite ") }
        #expect(try suites.count == files("bad").count)
        for suite in suites { #expect(!suite.contains(" failures=\"0\""), "\(suite)") }
    }

    @Test("The demo's whole output is valid", .enabled(if: SharedData.isAvailable, "\(SharedData.requirement)"))
    func demo() async throws {
        let hour = try await RealHour.played
        #expect(hour.result.exitCode == 0)
        for (name, bytes) in [("events.jsonl", hour.lines), ("events.sqlite", hour.database)] {
            let result = try await validate(folder.file(name, Array(bytes)), "--fail-on", "invalid,unknown,unused")
            #expect(result.exitCode == 0)
            let total = result.lines.last?.split(separator: " ").prefix(4)
            #expect(total.map(Array.init) == ["total", "20,915", "20,915", "0"])
        }
    }

    @Test(
        "The failing findings can be selected",
        arguments: [
            ("none", 0), ("invalid", 0), ("unknown", 1), ("unused", 1), ("invalid,unused", 1), ("unknown,invalid", 1),
        ] as [(String, Int32)])
    func failOn(classes: String, expected: Int32) async throws {
        let lines = [PlannedLine(), PlannedLine(name: "basket")].text
        let result = try await validate("-", "--fail-on", classes, "--format", "github", stdin: Array(lines.utf8))
        #expect(result.exitCode == expected)
        #expect(result.text.contains("::\(classes.contains("unknown") ? "error" : "warning") line=2,col=180,title=unk"))
    }

    @Test("An unreadable input does not stop the others from being checked, and decides the exit code")
    func unreadable() async throws {
        let file = try folder.file("a.jsonl", Self.faulty)
        let missing = try await validate(folder("none"), file, "--format", "github")
        #expect(missing.exitCode == 66)
        #expect(missing.stderr == "trackctl: cannot open \(folder("none")): no such file; check the path\n")
        let annotation =
            "::error file=\(folder("none")),title=unreadable-input::cannot open \(folder("none")): no such file; check"
        #expect(
            try await missing.text == "\(annotation) the path\n" + validate(file, "--format", "github").text)
        let unused = try await validate(folder("none"), file, "--fail-on", "unused", "--format", "github")
        #expect(!unused.text.contains("unused-event") && unused.exitCode == 66)

        let broken = try folder.file("b.gz", try await gzip(good.text).dropLast(9))
        let torn = try await validate(broken)
        #expect(torn.exitCode == 65)
        #expect(torn.stderr.hasPrefix("trackctl: the compressed data of \(broken) ends too early"))

        #expect(try await validate(try folder.file("c.db", "x")).exitCode == 65)
        #expect(symlink(folder("loop"), folder("loop")) == 0)
        #expect(try await validate(folder("loop")).exitCode == 74)
    }

    @Test("Rejects are the invalid lines; a run that failed before the first leaves no file")
    func rejects() async throws {
        let file = try folder.file("a.jsonl", good.text + Self.faulty)
        let rejects = folder("rejects.jsonl")
        #expect(try await validate(folder("none"), "--rejects", rejects).exitCode == 66)
        #expect(folder.bytes("rejects.jsonl") == nil)
        #expect(try await validate(file, "--rejects", rejects).exitCode == 1)
        let lines = String(decoding: try #require(folder.bytes("rejects.jsonl")), as: UTF8.self)
        #expect(lines.split(separator: "\n", omittingEmptySubsequences: false).count == 10)
        #expect(lines.contains(PlannedLine(name: "basket").text))
        let again = try await validate(file, "--rejects", rejects)
        #expect(again.exitCode == 64)
        #expect(again.stderr == "trackctl: \(rejects) exists: choose another file for --rejects\n")
    }

    @Test("Without schemas there is a clear error")
    func schemas() async throws {
        let program = try CommandLocation.path(of: "trackctl")
        let result = try await runProgram(
            "/bin/sh", ["-c", "cd \"$1\" && exec \"$0\" validate -", program, folder.path])
        #expect(
            result.stderr == """
                trackctl: no folder Schemas here, and no plan in Sources/*/Schemas: pass the folder that has events/ by --schemas

                """)
        #expect(result.exitCode == 66)
        let other = try await trackctl(["validate", "-", "--schemas", folder("none")])
        #expect(other.exitCode == 66)
        let empty = try await trackctl(["validate", "-", "--schemas", folder.path])
        #expect(
            empty.stderr == """
                trackctl: \(folder.path) has no schemas: pass the folder that contains events/

                """)
        #expect(empty.exitCode == 65)
    }

    @Test("The schemas of an app are added to the SDK's own")
    func appSchemas() async throws {
        let events = folder("events/basket")
        try FileManager.default.createDirectory(atPath: events, withIntermediateDirectories: true)
        _ = try folder.file(
            "events/basket/1-0-0.json",
            #"{"$id":"https://example.com/basket","type":"object","properties":{"name":{"const":"basket"}}}"#)
        let lines = [PlannedLine(name: "basket"), PlannedLine()].text
        let result = try await trackctl(["validate", "-", "--schemas", folder.path], stdin: Array(lines.utf8))
        #expect(result.exitCode == 0)
        #expect(result.lines.dropFirst().prefix(2).map { $0.prefix(12) } == ["basket/1-0-0", "launch/1-0-0"])
    }

    @Test("An optional set of the SDK is in the plan of an app that picks it in sets.json, and needs no other file")
    func sets() async throws {
        let lines = [PlannedLine(name: "app-backgrounded"), PlannedLine()].text
        func validate(_ sets: String) async throws -> CommandResult {
            _ = try folder.file("sets.json", sets)
            return try await trackctl(
                ["validate", "-", "--schemas", folder.path, "--format", "github"], stdin: Array(lines.utf8))
        }
        let picked = try await validate(#"["life-cycle"]"#)
        #expect(picked.exitCode == 0)
        #expect(picked.text == "")
        let other = try await validate("[]")
        #expect(other.exitCode == 1)
        #expect(
            other.text.contains(
                #"the plan has no event app-backgrounded: add "life-cycle", the optional set that contains it, to sets.json"#
            ))
        let unknown = try await validate(#"["life"]"#)
        #expect(unknown.exitCode == 65)
        #expect(
            unknown.stderr == """
                trackctl: \(folder.path)/sets.json: unknown set "life": the SDK has life-cycle

                """)
        let lint = try await trackctl(["schema", "lint", folder.path])
        #expect(lint.stderr == unknown.stderr)
        #expect(lint.exitCode == 65)
    }
}
