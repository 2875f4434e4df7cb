import CommandRunner
import EventLog
import EventModel
import Foundation
import Testing

@Suite("trackctl prune")
struct TrackctlPruneTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine].launches(1...300)

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
    }

    private func prune(_ path: String, _ arguments: String...) async throws -> CommandResult {
        try await trackctl(["prune", path] + arguments)
    }

    private func seqs(_ name: String = "a.sqlite") throws -> [String] {
        try folder.query(name, "SELECT seq FROM events ORDER BY seq")
    }

    /// A log, and the position of one consumer.
    private func log(delivered: Int64) async throws -> String {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(lines, to: store)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: delivered), refused: nil)
        try await store.close()
        return folder("a.sqlite")
    }

    private func size(_ name: String) -> Int { folder.bytes(name)?.count ?? 0 }

    @Test(
        "By age, count and size: the oldest events are removed, and the file becomes smaller",
        arguments: [
            ["--keep-events", "10"], ["--keep-bytes", "\(10 * 195)"], ["--older-than", "1d"],
            ["--older-than", "1d", "--keep-events", "10"],
        ])
    func limits(arguments: [String]) async throws {
        let path = try await log(delivered: 300)
        let before = (files: try folder.snapshot(), size: size("a.sqlite"))
        let plan = try await trackctl(["prune", path, "--dry-run"] + arguments)
        #expect(try folder.snapshot() == before.files)
        let result = try await trackctl(["prune", path] + arguments)
        let left = arguments[0] == "--older-than" ? [] : lines.suffix(10).map { "\($0.seq)" }
        #expect(try seqs() == left)
        #expect(plan.lines == [result.lines[0].replacing("removed", with: "would remove")])
        #expect(result.lines[0].hasPrefix("\(path): removed \(300 - left.count) events ("))
        #expect(result.lines[1] == "freed \(grouped(before.size - size("a.sqlite"))) bytes")
        #expect(size("a.sqlite") < before.size - 30_000)
        #expect(try folder.names() == ["a.sqlite"])
        #expect(result.exitCode == 0 && result.stderr.isEmpty)
        #expect(try await trackctl(["doctor", path]).exitCode == 0)
    }

    private func grouped(_ number: Int) -> String {
        let digits = String(number)
        return digits.count > 3 ? "\(digits.dropLast(3)),\(digits.suffix(3))" : digits
    }

    @Test("Events that a consumer has not received stay, and --even-unsent removes and counts them")
    func unsent() async throws {
        let path = try await log(delivered: 100)
        let kept = try await prune(path, "--keep-events", "10")
        #expect(kept.lines[0].hasPrefix("\(path): removed 100 events ("))
        #expect(
            kept.lines[1] == "\(path): kept 190 more that a consumer has not received (see --even-unsent)")
        #expect(kept.exitCode == 1)
        #expect(try seqs() == (101...300).map { "\($0)" })
        let forced = try await prune(path, "--keep-events", "10", "--even-unsent")
        #expect(forced.lines[0].hasSuffix(", 190 of them unsent") && forced.exitCode == 0)
        #expect(try seqs() == (291...300).map { "\($0)" })
        #expect(
            try folder.query("a.sqlite", "SELECT reason || first_seq || '-' || last_seq || ':' || count FROM ledger")
                == ["evicted101-290:190"])
    }

    @Test("More than one step of rows is removed as well")
    func steps() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        for start in stride(from: Int64(1), to: 12_000, by: 2000) {
            folder.append(.launches(start...start + 1999), to: store)
            try await store.commit()
        }
        try await store.close()
        #expect(try await prune(folder("a.sqlite"), "--keep-events", "1").exitCode == 0)
        #expect(try seqs() == ["12000"])
        #expect(try folder.query("a.sqlite", "SELECT event_count FROM log") == ["1"])
    }

    @Test("Totals and a ledger damaged beyond all numbers do not end a run", arguments: [Int64.min, -1, .max])
    func damagedTotals(total: Int64) async throws {
        let path = try await log(delivered: 300)
        try folder.execute(
            "a.sqlite",
            """
            UPDATE log SET event_count = \(total), event_bytes = \(total);
            INSERT INTO ledger (reason, consumer, first_seq, last_seq, count) VALUES ('damaged', '', 400, 400, 9223372036854775807),
                ('damaged', '', 401, 401, 9223372036854775807), ('refused', 'http', 402, 402, \(total));
            """)
        #expect(try await prune(path, "--keep-events", "400", "--dry-run").exitCode == 0)
        #expect(try await prune(path, "--keep-events", "400").exitCode == 0)
        #expect(try seqs().count == 300)
        #expect(try await prune(path, "--older-than", "1d").exitCode == 0)
        #expect(try seqs() == [])
        let found = try await doctorFindings(path)
        #expect(
            found.bad("ledger").map { $0.numbers["count"] } == [
                EventRecord.highestSeq, total > 0 ? EventRecord.highestSeq : 0,
            ])
        #expect(try await trackctl(["stats", path]).exitCode == 0)
    }

    @Test("While an app has the log open, events are removed and the file keeps its size", .builtProgram)
    func open() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(lines, to: store)
        try await store.commit()
        let result = try await prune(folder("a.sqlite"), "--keep-events", "10")
        #expect(result.exitCode == 0)
        #expect(result.lines[1].contains("the file keeps its size while open in another program"))
        folder.append([TrackctlLine(301)], to: store)
        #expect(try await store.read(after: 0, maximumCount: 100, maximumBytes: 1 << 20).map(\.seq) == Array(291...301))
        try await store.close()
    }

    @Test("Finished files are removed by the age of their newest event; the open one and unreadable ones stay")
    func files() async throws {
        let now = Int64(Date().timeIntervalSince1970)
        let young = TrackctlLine(3).text.replacing("1536753247", with: "\(now)")
        _ = try folder.file("b-0000000000000001.jsonl", lines[..<1].map { "\($0.text)\n" }.joined())
        _ = try folder.file("b-0000000000000002.jsonl.gz", try await gzip(lines[1].text + "\n"))
        _ = try folder.file("b-0000000000000003.jsonl", lines[2].text + "\n" + young + "\n")
        _ = try folder.file("b.jsonl.1", lines[3].text + "\nno JSON\n")
        _ = try folder.file("b.jsonl", lines[4].text + "\n")
        let before = try folder.snapshot()
        let plan = try await prune(folder.path, "--older-than", "30d", "--dry-run")
        #expect(try folder.snapshot() == before)
        #expect(plan.lines.count == 3 && plan.lines[0].contains("would remove the file (1 event,"))
        let result = try await prune(folder.path, "--older-than", "30d")
        #expect(try folder.names() == ["b-0000000000000003.jsonl", "b.jsonl", "b.jsonl.1"])
        #expect(
            result.lines[2]
                == "\(folder("b.jsonl.1")): kept: some lines are unreadable (run trackctl doctor)")
        #expect(result.exitCode == 1)
    }

    @Test("Files without an event are removed by the time of their last write")
    func emptyFiles() async throws {
        for name in ["b.jsonl.1", "b.jsonl.2"] { _ = try folder.file(name, "") }
        _ = try folder.file("b.jsonl.3.gz", try await gzip(""))
        for name in ["b.jsonl.2", "b.jsonl.3.gz"] {
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSinceNow: -90 * 86_400)], ofItemAtPath: folder(name))
        }
        _ = try folder.file("b.jsonl", lines[4].text + "\n")
        let result = try await prune(folder.path, "--older-than", "30d")
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(result.lines[0] == "\(folder("b.jsonl.3.gz")): removed the file (0 events, 20 bytes)")
        #expect(result.lines[1] == "\(folder("b.jsonl.2")): removed the file (0 events, 0 bytes)")
        #expect(try folder.names() == ["b.jsonl", "b.jsonl.1"])
    }

    @Test(
        "A young file with a torn or malformed line is ignored; an old one is named",
        arguments: ["{\"v\":1", "no JSON\n"])
    func faultyFiles(issue: String) async throws {
        let now = Int64(Date().timeIntervalSince1970)
        let young = TrackctlLine(3).text.replacing("1536753247", with: "\(now)")
        _ = try folder.file("b.jsonl.1", lines[0].text + "\n" + young + "\n" + issue)
        #expect(try await prune(folder.path, "--older-than", "30d").exitCode == 0)
        _ = try folder.file("b.jsonl.2", lines[0].text + "\n" + issue)
        let result = try await prune(folder.path, "--older-than", "30d")
        #expect(result.exitCode == 1 && result.lines.filter { $0.contains("kept: some lines") }.count == 1)
        #expect(result.lines[0].hasPrefix("\(folder("b.jsonl.2")): kept"))
        #expect(try folder.names() == ["b.jsonl.1", "b.jsonl.2"])
    }

    @Test("A folder with a trailing slash is the same")
    func slash() async throws {
        _ = try await log(delivered: 300)
        try folder.execute("other.sqlite", "PRAGMA user_version = 1")
        #expect(try await prune(folder.path + "/", "--keep-events", "10").exitCode == 0)
        #expect(try seqs().count == 10)
        #expect(try await prune(folder.path + "//", "--keep-events", "10", "--dry-run").exitCode == 0)
    }

    @Test("A log whose database is missing must be repaired first", arguments: ["journal", "salvaged"])
    func missingDatabase(left: String) async throws {
        try await folder.killedLog("a.sqlite", stored: Array(lines[..<3]), waiting: Array(lines[3..<9]))
        if left == "journal" {
            for suffix in ["", "-wal"] { try FileManager.default.removeItem(atPath: folder("a.sqlite" + suffix)) }
        } else {
            try FileManager.default.removeItem(atPath: folder("a.sqlite-wal"))
            try FileManager.default.moveItem(atPath: folder("a.sqlite"), toPath: folder("a.sqlite.salvaged"))
        }
        let before = try folder.snapshot()
        for path in [folder.path, folder("a.sqlite")] {
            let result = try await prune(path, "--keep-events", "1")
            #expect(result.exitCode == 65 && result.stderr.contains("run trackctl doctor \(path) --fix"))
        }
        #expect(try folder.snapshot() == before)
    }

    @Test("JSON is one line with sorted members")
    func json() async throws {
        let path = try await log(delivered: 100)
        let result = try await prune(path, "--keep-events", "250", "--json", "--dry-run")
        #expect(
            result.text == """
                {"bytes_freed":0,"dry_run":true,"files":[],"logs":[{"bytes":\(Array(lines[..<50]).byteCount),"compacted":false,"events":50,\
                "kept":0,"log":"\(path)","unsent":0,"waiting":0}],"unreadable":[]}

                """)
    }

    @Test(
        "Durations are parsed the same everywhere",
        arguments: [
            ("500ms", true), ("1.5s", true), ("15m", true), ("12h", true), ("30d", true), ("4w", true), ("0s", true),
            ("30", false), ("-1d", false), ("1y", false), ("d", false), ("1e3s", false), ("99999w", false),
        ])
    func durations(text: String, isOne: Bool) async throws {
        let path = try await log(delivered: 0)
        for arguments in [
            ["prune", path, "--dry-run", "--older-than=\(text)"], ["doctor", path, "--clock-jump=\(text)"],
        ] {
            let result = try await trackctl(arguments)
            #expect((result.exitCode == 64) != isOne, "\(result.stderr)")
            #expect(result.stderr.contains("write a duration such as 500ms, 1.5s, 15m, 12h, 30d or 4w") != isOne)
        }
    }

    @Test("A file that is not a log is rejected")
    func refused() async throws {
        _ = try folder.file("notes.txt", "x")
        #expect(try await prune(folder.path, "--keep-events", "1").exitCode == 64)
        #expect(try await prune(folder("none.sqlite"), "--keep-events", "1").exitCode == 66)
        try folder.execute("other.sqlite", "CREATE TABLE t (a)")
        #expect(try await prune(folder("other.sqlite"), "--keep-events", "1").exitCode == 65)
    }
}
