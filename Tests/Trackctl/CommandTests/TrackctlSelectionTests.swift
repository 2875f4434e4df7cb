import CommandRunner
import EventModel
import Foundation
import Testing

@Suite("trackctl and the selection of events")
struct TrackctlSelectionTests {
    private let folder: TrackctlFolder
    private let lines = [
        TrackctlLine(1), TrackctlLine(2, "page-view"), TrackctlLine(3, "search"), TrackctlLine(4, "page-view"),
        TrackctlLine(5, "search"),
    ]

    init() throws { folder = try TrackctlFolder() }

    private func dump(_ arguments: [String], stdin: [UInt8] = []) async throws -> CommandResult {
        try await trackctl(["dump"] + arguments, stdin: stdin)
    }

    @Test(
        "Selections and windows select the same events in lines and in a log",
        arguments: [
            (["--event", "p*"], [2, 4]), (["--event", "*", "--event", "none"], [1, 2, 3, 4, 5]),
            (["--where", "seq >= 2 && seq < 4"], [2, 3]), (["--where", "seq > 1", "--where", "seq < 3"], [2]),
            (["--user", "u"], [1, 2, 3, 4, 5]), (["--user", "v"], []),
            (["--user", "v", "--user", "u", "--limit", "1"], [1]),
            (["--session", "s", "-n", "2"], [4, 5]), (["--id", TrackctlLine(3).id.description.uppercased()], [3]),
            (["--last", "2", "--event", "search"], [3, 5]), (["--last", "99"], [1, 2, 3, 4, 5]),
            (["--reverse"], [5, 4, 3, 2, 1]), (["--reverse", "--limit", "2"], [5, 4]),
            (["-n", "3", "--reverse", "--limit", "2"], [5, 4]), (["-n", "3", "--limit", "2"], [3, 4]),
            (["--since", "-1m"], []), (["--until", "yesterday", "-n", "1"], [5]),
            (["--after-cursor", "install-a=3"], [4, 5]), (["--after-cursor", "install-b=3"], [1, 2, 3, 4, 5]),
            (["--after-cursor", "install-a=3", "--event", "search"], [5]), (["--sample", "100%"], [1, 2, 3, 4, 5]),
            (["--sample", "0.000001%"], []),
        ] as [([String], [Int64])])
    func chosen(options: [String], expected: [Int64]) async throws {
        let wanted = expected.compactMap { seq in lines.first { $0.seq == seq } }.text
        for input in [try folder.file("a.jsonl", lines.text), try await folder.log("a.sqlite", lines)] {
            let result = try await dump([input] + options)
            #expect(result.text == wanted)
            #expect(result.stderr.isEmpty && result.exitCode == 0)
        }
    }

    @Test("More lines than fit into memory are output correctly: the last ones, and in reverse")
    func spilled() async throws {
        let filler = String(repeating: "x", count: 8000)
        let many = (1...1500).map { seq in
            TrackctlLine(Int64(seq)).text.replacingOccurrences(of: #""user_id":"u""#, with: #""user_id":"\#(filler)""#)
        }
        let file = try folder.file("a.jsonl", many.map { $0 + "\n" }.joined())
        let backwards = try await dump([file, "--reverse"])
        #expect(backwards.lines == many.reversed())
        let last = try await dump([file, "-n", "875"])
        #expect(last.lines == Array(many.suffix(875)))
        let some = try await dump([file, "-n", "875", "--reverse", "--limit", "10"])
        #expect(some.lines == Array(many.suffix(10).reversed()))
    }

    @Test("A cursor file gives each run the new events, through rotation and compression, and from the log itself")
    func cursorFile() async throws {
        let cursor = folder("cursor")
        let file = try folder.file("events.jsonl", Array(lines[..<2]).text)
        #expect(try await dump([file, "--cursor-file", cursor]).text == Array(lines[..<2]).text)
        #expect(folder.bytes("cursor") == Array("install-a=2\n".utf8))
        #expect(try await dump([file, "--cursor-file", cursor]).text.isEmpty)

        _ = try folder.file("events-0000000000000001.jsonl.gz", try await gzip(Array(lines[..<3]).text))
        _ = try folder.file("events.jsonl", [lines[3]].text)
        #expect(try await dump([folder("events*"), "--cursor-file", cursor]).text == Array(lines[2...3]).text)
        let log = try await folder.log("a.sqlite", lines)
        #expect(try await dump([log, "--cursor-file", cursor]).text == [lines[4]].text)
        #expect(folder.bytes("cursor") == Array("install-a=5\n".utf8))
    }

    @Test("With a limit, the next run continues after the last event that was output")
    func limitedCursor() async throws {
        for input in [try folder.file("a.jsonl", lines.text), try await folder.log("a.sqlite", lines)] {
            let cursor = folder("cursor-\(input.suffix(6))")
            for expected in [[1, 2], [3, 4], [5], []] as [[Int]] {
                let result = try await dump([input, "--limit", "2", "--cursor-file", cursor])
                #expect(result.text == expected.map { lines[$0 - 1] }.text)
            }
        }
    }

    @Test("A cursor file does not move past events of a truncated input")
    func brokenInput() async throws {
        let packed = try await gzip(Array(lines[..<3]).text)
        let cut = try folder.file("a.jsonl.gz", Array(packed.dropLast(10)))
        let rest = try folder.file("b.jsonl", Array(lines[3...]).text)
        let cursor = folder("cursor")
        let broken = try await dump([cut, rest, "--cursor-file", cursor, "--show-cursor"])
        #expect(broken.exitCode == 65 && !broken.stderr.contains("-- cursor"))
        #expect(folder.bytes("cursor") == nil)
        _ = try folder.file("a.jsonl.gz", packed)
        #expect(try await dump([cut, rest, "--cursor-file", cursor]).text == lines.text)
    }

    @Test("Events without an install, and past the highest number, are in no cursor")
    func oddCursors() async throws {
        let odd = [
            TrackctlLine(1, install: ""), TrackctlLine(999_999_999_999_999_999, microsecond: 2), TrackctlLine(3),
        ]
        let file = try folder.file("odd.jsonl", odd.text)
        #expect(try await dump([file, "--show-cursor"]).stderr == "-- cursor: install-a=3\n")
    }

    @Test("A cursor is reported on standard error; a file without one, and events without numbers, are rejected")
    func cursors() async throws {
        let file = try folder.file("a.jsonl", lines.text)
        let shown = try await dump([file, "--show-cursor", "-n", "1"])
        #expect(shown.stderr == "-- cursor: install-a=5\n" && shown.lines == [lines[4].text])
        let broken = try folder.file("cursor", "nonsense")
        let refused = try await dump([file, "--cursor-file", broken])
        #expect(refused.exitCode == 65 && refused.stdout.isEmpty)
        #expect(refused.stderr.contains("no cursor in \(broken): choose another file, or remove it"))
        let foreign = try await dump(["-", "--show-cursor"], stdin: Array("{\"event\":{\"name\":\"a\"}}\n".utf8))
        #expect(foreign.exitCode == 65 && foreign.stderr.contains("is missing or of the wrong type"))
    }

    @Test("stats, validate, replay and coverage accept the same selections")
    func everyCommand() async throws {
        let file = try folder.file("a.jsonl", lines.text)
        let schemas = "\(FileManager.default.currentDirectoryPath)/Schemas"
        let stats = try await trackctl(["stats", file, "--event", "search", "-n", "1", "--json"])
        #expect(stats.text.contains(#""count":1,"longest":190,"name":"search""#) && stats.text.contains(#""total":1"#))
        let replay = try await trackctl(["replay", file, "--where", "seq > 3", "--to", "-"])
        #expect(replay.text == Array(lines[3...]).text)
        let validate = try await trackctl([
            "validate", file, "--event", "search", "--schemas", schemas, "--format", "json",
        ])
        #expect(validate.text.contains(#""lines":2"#))
        let invalid = try await trackctl([
            "validate", file, "--limit", "5", "--event", "search", "--schemas", schemas, "--format", "json",
        ])
        #expect(invalid.text.contains(#""line":3"#))
        let coverage = try await trackctl(["coverage", file, "--event", "none", "--schemas", schemas, "--json"])
        #expect(coverage.text.contains(#""lines":0"#))
    }
}
