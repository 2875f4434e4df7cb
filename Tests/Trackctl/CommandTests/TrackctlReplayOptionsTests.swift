import CommandRunner
import Foundation
import Testing

@Suite("trackctl replay and its options")
struct TrackctlReplayOptionsTests {
    private let folder: TrackctlFolder
    private let lines = [
        TrackctlLine(1, microsecond: 0), TrackctlLine(2, "search", microsecond: 250_000),
        TrackctlLine(3, microsecond: 750_000),
    ]

    init() throws { folder = try TrackctlFolder() }

    private func replay(_ options: String...) async throws -> CommandResult {
        try await trackctl(["replay", try folder.file("a.jsonl", lines.text)] + options)
    }

    @Test("A dry run shows what there is and how long it would take, and writes nothing")
    func dryRun() async throws {
        let result = try await replay("--to", folder("b.jsonl"), "--dry-run", "--speed", "0.5x")
        #expect(
            result.text == """
                events    3
                bytes     \(lines.text.utf8.count)
                batches   3
                first     2018-09-12T11:54:07.000000Z
                last      2018-09-12T11:54:07.750000Z
                duration  1.5 s

                """)
        #expect(result.exitCode == 0)
        #expect(try folder.names() == ["a.jsonl"])
        #expect(try await replay("--dry-run", "--speed", "1x", "--max-gap", "100ms").text.contains("duration  200 ms"))
        #expect(try await replay("--dry-run", "--rate", "30/m").text.contains("duration  4 s"))
        #expect(try await replay("--dry-run").text.contains("duration  as fast as the target accepts events"))
    }

    @Test("A dry run does not change the cursor in a file")
    func dryCursor() async throws {
        let options = ["--cursor-file", folder("place"), "--to", folder("b.jsonl")]
        let input = try folder.file("a.jsonl", lines.text)
        let dry = try await trackctl(["replay", input, "--dry-run"] + options)
        #expect(dry.text.hasPrefix("events    3\n") && dry.exitCode == 0)
        #expect(try folder.names() == ["a.jsonl"])
        #expect(try await trackctl(["replay", input] + options).exitCode == 0)
        #expect(folder.bytes("b.jsonl") == Array(lines.text.utf8))
        #expect(folder.bytes("place") != nil)
        let rest = try await trackctl(["replay", input, "--dry-run"] + options.prefix(2))
        #expect(rest.text.hasPrefix("events    0\n"))
    }

    @Test("A dry run shows each lane's share")
    func shares() async throws {
        let users = (1...100).map { TrackctlLine($0, user: "user-\($0)") }
        let input = try folder.file("b.jsonl", users.text)
        let result = try await trackctl(["replay", input, "--to", "http://127.0.0.1:1", "--dry-run", "--lanes", "2"])
        let shares = result.lines.filter { $0.hasPrefix("lane ") }.compactMap { line in
            line.firstMatch(of: /lane \d +(\d+) events/).flatMap { Int($0.1) }
        }
        #expect(shares.count == 2 && shares.reduce(0, +) == 100 && shares.allSatisfy { $0 > 25 })
    }

    @Test("The log's own times are kept, and each line is sent when it is due", .builtProgram)
    func ownClock() async throws {
        let start = ContinuousClock.now
        let result = try await replay("--to", "-", "--speed", "1x")
        #expect(start.duration(to: .now) >= .milliseconds(750))
        #expect(result.text == lines.text)
        #expect(result.stderr.contains("; late by p50 "))
    }

    @Test("The reported rate is the requested one", .builtProgram)
    func toldRate() async throws {
        // They are half a second apart.
        let result = try await replay("--to", "-", "--rate", "2/s")
        #expect(result.stderr.contains("\n2 events/s; late by p50 "))
    }

    @Test("Values are set in each event, and all other bytes are unchanged")
    func settings() async throws {
        let result = try await replay("--to", "-", "--set", "event.value={\"page\":3}", "--set", "user_id=tester")
        let changed = lines.text.replacingOccurrences(of: "\"user_id\":\"u\"", with: "\"user_id\":\"tester\"")
            .replacingOccurrences(of: "\"}}\n", with: "\",\"value\":{\"page\":3}}}\n")
        #expect(result.text == changed)
        let nowhere = try await replay("--to", "-", "--set", "event.value.page=3")
        #expect(
            nowhere.stderr.contains("a.jsonl:1:1: --set event.value.page: the line has no object for this member\n"))
        #expect(nowhere.exitCode == 65)
        #expect(nowhere.stdout.isEmpty)
    }

    @Test("Shifted times begin now and keep their distances")
    func shift() async throws {
        let before = Date().timeIntervalSince1970
        let result = try await replay("--to", "-", "--time", "shift")
        let after = Date().timeIntervalSince1970
        let times = result.lines.compactMap { $0.firstMatch(of: /"time":([0-9.]+),/).flatMap { Double($0.1) } }
        #expect(times.count == 3)
        #expect(before - 0.001...after ~= times[0])
        #expect(abs(times[1] - times[0] - 0.25) < 0.00001 && abs(times[2] - times[0] - 0.75) < 0.00001)
        let old = lines.text.replacing(/"time":[0-9.]+/, with: "")
        #expect(result.text.replacing(/"time":[0-9.]+/, with: "") == old)
    }

    @Test("Changed events can be stored in a log, too")
    func changedIntoLog() async throws {
        let result = try await replay("--to", folder("b.sqlite"), "--new-ids", "--time", "now")
        #expect(result.stderr == "replayed 3 events: 3 kept, 0 renumbered, 0 known (skipped)\n")
        #expect(try await replay("--to", folder("b.sqlite"), "--new-ids").stderr.contains("0 known"))
    }

    @Test("A log does not accept a line that a change has made invalid")
    func spoilt() async throws {
        let result = try await replay("--to", folder("b.sqlite"), "--set", "seq=seven")
        #expect(result.exitCode == 65)
        #expect(result.stderr.hasPrefix("trackctl: a changed line is no longer an event (not a tracking container:"))
    }

    @Test("Several passes send each event with a new id each time")
    func loop() async throws {
        let result = try await replay("--to", "-", "--loop", "3", "--new-ids", "--time", "shift")
        let ids = result.lines.compactMap { $0.firstMatch(of: /"id":"([^"]+)"/).map { String($0.1) } }
        #expect(ids.count == 9 && Set(ids).count == 9)
        let times = result.lines.compactMap { $0.firstMatch(of: /"time":([0-9.]+),/).flatMap { Double($0.1) } }
        #expect(times == times.sorted() && abs(times[8] - times[0] - 2.25) < 0.00001)
    }

    @Test("A malformed line is reported once, however many passes there are")
    func faultyLoop() async throws {
        let input = try folder.file("b.jsonl", lines.text + "null\n")
        let result = try await trackctl(["replay", input, "--to", "null:", "--loop", "3"])
        #expect(result.stderr.components(separatedBy: "b.jsonl:4:1").count == 2)
        #expect(result.stderr.contains("9 delivered"))
        #expect(result.exitCode == 65)
    }

    @Test("A new file whose name ends in .gz is compressed")
    func compressedFile() async throws {
        #expect(try await replay("--to", folder("b.jsonl.gz")).exitCode == 0)
        let unpacked = try await runProgram("/usr/bin/gzip", ["-c", "-d", folder("b.jsonl.gz")])
        #expect(unpacked.text == lines.text)
    }

    @Test(
        "Contradictory options are rejected with a correction",
        arguments: [
            ["--to", "null:", "--rate", "5/s", "--speed", "1x"], ["--to", "null:", "--rate", "5"],
            ["--to", "null:", "--speed", "0x"], ["--to", "null:", "--max-gap", "1s"],
            ["--to", "b.sqlite", "--loop", "2"], ["--to", "null:", "--loop", "0"],
            ["--to", "null:", "--set", "event.value.page"], ["--to", "null:", "--set", "id=7"],
            ["--to", "null:", "--set", "time=7"], ["--to", "b.jsonl", "--lanes", "2"],
            ["--to", "b.jsonl", "--gzip"], ["--to", "b.jsonl", "--on-error", "skip"],
            ["--to", "http://127.0.0.1:1", "--on-error", "dlq="], ["--to", "http://user:secret@127.0.0.1:1"],
            ["--to", "http://"], ["--to", "null:", "--batch-events", "0"], ["--to", "null:", "--linger", "soon"],
            ["--to", "http://127.0.0.1:1", "--header", "nothing"],
            ["--to", "http://127.0.0.1:1", "--header", "content-length: 5"],
            ["--to", "http://127.0.0.1:1", "--header", "Idempotency-Key: 5"],
            ["--to", "null:", "--resume", "s", "--cursor-file", "c"],
        ])
    func usage(options: [String]) async throws {
        let input = try folder.file("a.jsonl", lines.text)
        let result = try await trackctl(["replay", input] + options)
        #expect(result.exitCode == 64)
        #expect(result.stderr.hasPrefix("trackctl: ") && !result.stderr.contains("secret"))
        #expect(try folder.names() == ["a.jsonl"])
    }

    @Test("A file has only one role: input, target, state or file of rejected events, by whatever path")
    func sameFiles() async throws {
        let input = try folder.file("a.jsonl", lines.text)
        try FileManager.default.createSymbolicLink(atPath: folder("link"), withDestinationPath: input)
        let (url, other) = ("http://127.0.0.1:1", "\(folder.path)/../\((folder.path as NSString).lastPathComponent)/b")
        let cases: [([String], String)] = [
            (
                ["--to", url, "--on-error", "dlq=\(folder("link"))"],
                "is one of the inputs: choose another file for --on-error"
            ),
            (
                ["--to", url, "--on-error", "dlq=\(input)", "--from-dlq"],
                "is one of the inputs: choose another file for --on-error"
            ),
            (["--to", url, "--resume", folder("link")], "is one of the inputs"),
            (["--to", folder("b"), "--resume", other], "is the target"),
            (["--to", url, "--on-error", "dlq=\(folder("b"))", "--resume", other], "is the file for rejected events"),
        ]
        for (options, reason) in cases {
            let result = try await trackctl(["replay", folder.path + "/a*"] + options)
            #expect(result.exitCode == 64)
            #expect(result.stderr.contains(reason), "\(result.stderr)")
        }
        let script = #"exec "$0" replay - --to "$1" --on-error dlq="$2" < "$2""#
        let piped = try await runProgram(
            "/bin/sh", ["-c", script, CommandLocation.path(of: "trackctl"), url, input])
        #expect(
            piped.exitCode == 64 && piped.stderr.contains("is one of the inputs: choose another file for --on-error"))
        #expect(try folder.names() == ["a.jsonl", "link"])
        #expect(folder.bytes("a.jsonl") == Array(lines.text.utf8))
    }
}
