import CommandRunner
import EventLog
import Foundation
import Testing
import Tracking

@Suite("trackctl doctor")
struct TrackctlDoctorTests {
    private let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
    }

    private func doctor(_ arguments: String...) async throws -> CommandResult {
        try await runCommand("trackctl", ["doctor"] + arguments)
    }

    /// The findings on a log that are worse than ok.
    private func findings(_ path: String, _ arguments: String...) async throws -> [DoctorFinding] {
        let result = try await runCommand("trackctl", ["doctor", path, "--json"] + arguments)
        let findings = try DoctorFinding.all(result.lines.first)
        #expect(!findings.isEmpty, "\(result.stderr)")
        let isBad = findings.contains { ["warning", "error"].contains($0.severity) }
        #expect(result.exitCode == (isBad ? 1 : 0))
        #expect(findings.allSatisfy { ["ok", "note"].contains($0.severity) || $0.advice != nil })
        return findings.filter { $0.severity != "ok" }
    }

    /// A log whose events one consumer has had.
    private func healthyLog(_ count: Int64 = 5) async throws -> String {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(.launches(1...count), to: store)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: count), refused: nil)
        try await store.close()
        return folder("a.sqlite")
    }

    @Test("A log and its files that are well: every check says so, and nothing is written")
    func healthy() async throws {
        let log = try await healthyLog()
        _ = try folder.file("b-0000000000000001.jsonl", [TrackctlLine].launches(1...2).text)
        _ = try folder.file("b-0000000000000003.jsonl.gz", try await gzip([TrackctlLine].launches(3...4).text))
        _ = try folder.file("b.jsonl", [TrackctlLine].launches(5...5).text)
        let before = try folder.snapshot()
        let result = try await doctor(folder.path, "--thorough")
        #expect(try folder.snapshot() == before)
        let path = folder.path
        #expect(
            result.lines.filter { !$0.contains("free-space") } == [
                "ok       database-header      \(log): format 2, pages of 4096 bytes",
                "ok       database-structure   \(log): integrity_check finds nothing",
                "ok       write-ahead-log      \(log): there is none: the log was closed",
                "ok       database-totals      \(log): 5 events, \(totalBytes(5)) bytes of lines",
                "ok       numbers              \(log): each number up to 5 is accounted for",
                "ok       clock                \(log): no jump",
                "ok       database-lines       \(log): all 5 lines",
                "ok       journal              \(log): there are none: the log was closed",
                "ok       consumer-backlog     \(log): http has had everything",
                "ok       ledger               \(log): nothing was dropped",
                "ok       file-lines           \(path)/b-0000000000000001.jsonl: 2 lines",
                "ok       file-lines           \(path)/b-0000000000000003.jsonl.gz: 2 lines",
                "ok       file-lines           \(path)/b.jsonl: 1 lines",
                "ok       file-numbers         \(path)/b.jsonl: 5 events, 1 to 5",
                "ok       file-clock           \(path)/b.jsonl: no jump",
                "ok       left-overs           \(path): none",
                "ok       permissions          \(path): 4 files are closed to others",
            ])
        #expect(result.exitCode == 0 && result.stderr.isEmpty)
    }

    private func totalBytes(_ count: Int64) -> Int {
        [TrackctlLine].launches(1...count).reduce(0) { $0 + $1.text.utf8.count }
    }

    @Test("The worst comes first, with what to do under it, and the exit code is 1")
    func text() async throws {
        let log = try await healthyLog()
        try folder.execute("a.sqlite", "UPDATE log SET event_count = 9")
        let result = try await doctor(log)
        #expect(
            Array(result.lines.prefix(2)) == [
                "error    database-totals      \(log): the log counts 9 events and \(totalBytes(5)) bytes, but holds 5 "
                    + "and \(totalBytes(5))",
                "         limits on count and size go by these totals: trackctl replay it into a new log and use that",
            ])
        #expect(result.lines.dropFirst(2).allSatisfy { $0.hasPrefix("ok ") })
        #expect(result.exitCode == 1)
    }

    // MARK: The database

    @Test(
        "What is wrong with rows is found",
        arguments: [
            ("database-lines", "UPDATE events SET line = CAST('no JSON' AS BLOB) WHERE seq = 2", "event 2: column 1"),
            (
                "database-lines", "UPDATE events SET name = 'other' WHERE seq = 3",
                "event 3: the line and its row differ in name"
            ),
            ("database-lines", "UPDATE log SET install_id = 'x'", "event 1: the line and its row differ in install_id"),
            ("database-totals", "UPDATE log SET event_bytes = event_bytes + 1", "but holds 5 and"),
            (
                "numbers", "DELETE FROM events WHERE seq IN (2, 3)",
                "2 numbers are neither events nor in the ledger: 2-3"
            ),
            ("numbers", "UPDATE log SET last_seq = 7", "2 numbers are neither events nor in the ledger: 6-7"),
            ("numbers", "INSERT INTO ledger VALUES ('damaged', '', 2, 4, 3)", "3 events stand under numbers"),
            (
                "numbers", "UPDATE events SET seq = 9223372036854775807 WHERE seq = 5; UPDATE log SET last_seq = 4",
                "1 under"
            ),
            ("numbers", "UPDATE log SET last_seq = 9223372036854775807", "numbers are neither events nor"),
            ("clock", "UPDATE events SET time = time - 62000000 WHERE seq = 4", "first at event 4, at most by 61 s"),
            ("clock", "UPDATE events SET time = 32503680000000000 WHERE seq = 5", "1 event is of the future, first 5"),
        ])
    func rows(check: String, sql: String, message: String) async throws {
        let log = try await healthyLog()
        try folder.execute("a.sqlite", sql)
        let found = try await findings(log).bad(check)
        #expect(found.count == 1 && found[0].message.contains(message), "\(found)")
    }

    @Test("Numbers that the ledger explains are no gap, whatever the reason")
    func explained() async throws {
        let log = try await healthyLog()
        try folder.execute(
            "a.sqlite",
            """
            DELETE FROM events WHERE seq IN (2, 3, 4);
            UPDATE log SET event_count = 2, event_bytes = (SELECT sum(length(line)) FROM events);
            INSERT INTO ledger VALUES ('erased', '', 2, 3, 2), ('of-a-newer-version', '', 4, 4, 1);
            """)
        let found = try await findings(log)
        #expect(found.map(\.check) == ["ledger", "ledger"])
        #expect(found.map(\.message) == ["2 events dropped: erased", "1 event dropped: of-a-newer-version"])
        #expect(found.map(\.severity) == ["note", "warning"])
    }

    @Test("Steps back in time up to the limit are no jumps")
    func clockLimit() async throws {
        let log = try await healthyLog()
        try folder.execute("a.sqlite", "UPDATE events SET time = time - 61000000 WHERE seq = 4")
        #expect(try await findings(log, "--clock-jump", "2m").bad("clock") == [])
    }

    @Test("A damaged page is found, and a first page of something else, and a cut", arguments: ["page", "head", "cut"])
    func structure(damage: String) async throws {
        let log = try await healthyLog(400)
        try folder.change("a.sqlite") { bytes in
            switch damage {
            case "page": bytes.replaceSubrange(8 * 4096..<8 * 4096 + 100, with: Array(repeating: 0x5A, count: 100))
            case "head": bytes.replaceSubrange(100..<4096, with: Array(repeating: 0x5A, count: 3996))
            default: bytes.removeLast(5000)
            }
        }
        let before = try folder.snapshot()
        let found = try await findings(log)
        #expect(try folder.snapshot() == before)
        let checks = Set(found.filter { $0.severity == "error" }.map(\.check))
        #expect(!checks.isDisjoint(with: damage == "page" ? ["database-structure"] : ["database-header"]))
    }

    @Test("Lines of a large log are a sample, and --thorough reads all")
    func sample() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        for start in stride(from: Int64(1), to: 12_000, by: 2000) {
            folder.append(.launches(start...start + 1999), to: store)
            try await store.commit()
        }
        try await store.close()
        let quick = try DoctorFinding.all(try await doctor(folder("a.sqlite"), "--json").lines.first)
        let sampled = try #require(quick.first { $0.check == "database-lines" })
        #expect(sampled.numbers == ["read": 10_000, "events": 12_000, "faulty": 0])
        #expect(sampled.message == "10000 of 12000 lines, as a sample (--thorough reads all)")
        let all = try DoctorFinding.all(try await doctor(folder("a.sqlite"), "--json", "--thorough").lines.first)
        #expect(all.first { $0.check == "database-lines" }?.message == "all 12000 lines")
    }

    @Test("What is no log, is too new, or is not there ends with its own exit code; the other logs are examined")
    func refused() async throws {
        let log = try await healthyLog()
        try folder.execute("other.sqlite", "CREATE TABLE t (a)")
        try folder.execute("empty.sqlite", "PRAGMA user_version = 1")
        #expect(try await doctor(folder("other.sqlite")).exitCode == 65)
        #expect(try await doctor(folder("empty.sqlite")).exitCode == 65)
        #expect(try await findings(folder.path).bad("database-header").map(\.place) == ["empty.sqlite"])
        #expect(try await doctor(folder("missing.sqlite")).exitCode == 66)
        let both = try await doctor(folder("missing.sqlite"), log)
        #expect(
            both.exitCode == 66
                && both.stderr == "trackctl: there is no file \(folder("missing.sqlite")): check the path\n")
        #expect(both.lines.contains { $0.hasPrefix("ok       numbers") })
        try folder.execute("a.sqlite", "PRAGMA user_version = 99")
        let json = try await doctor(folder("missing.sqlite"), "--json")
        #expect(
            json.text == """
                {"failure":"there is no file \(folder("missing.sqlite")): check the path","findings":[],\
                "log":"\(folder("missing.sqlite"))","severity":"error","steps":[]}

                """)
        let newer = try await doctor(log)
        #expect(newer.exitCode == 65 && newer.stderr.contains("written by a newer version"))
    }

    // MARK: Beside the database

    @Test("A log that an app has open is no fault")
    func open() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(.launches(1...50), to: store)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: 50), refused: nil)
        let found = try DoctorFinding.all(try await doctor(folder.path, "--json").lines.first)
        #expect(found.allSatisfy { $0.severity == "ok" }, "\(found)")
        #expect(found.first { $0.check == "journal" }?.numbers["living"] == 1)
        let wal = try #require(found.first { $0.check == "write-ahead-log" })
        #expect(wal.place == "a.sqlite-wal" && (wal.numbers["frames"] ?? 0) > 0)
        try await store.close()
    }

    @Test("Events of a killed process that wait in its journal")
    func killed() async throws {
        try await folder.killedLog("a.sqlite", stored: .launches(1...3), waiting: .launches(4...9))
        let found = try await findings(folder.path)
        #expect(found.bad("journal").map(\.severity) == ["warning"])
        #expect(found.bad("journal").first?.numbers["waiting"] == 6)
        #expect(found.bad("numbers") == [] && found.bad("journal-files") == [])
    }

    @Test(
        "A journal's files that are cut, damaged, foreign or of a newer version",
        arguments: [
            ("ring", "its length is"), ("tiny", "it was cut to 10 bytes"), ("control", "its header is damaged"),
            ("record", "it holds bytes that are no record"), ("foreign", "the journals are another log's"),
        ])
    func journalFiles(damage: String, message: String) async throws {
        try await folder.killedLog("a.sqlite", stored: .launches(1...3), waiting: .launches(4...9))
        let ring = try #require(try folder.rings("a.sqlite").first)
        switch damage {
        case "ring": try folder.change(ring) { $0.removeLast(4096) }
        case "tiny": try folder.change(ring) { $0 = Array($0.prefix(10)) }
        case "control": try folder.change("a.sqlite.journal/control") { $0[3] ^= 0xFF }
        case "record":
            try folder.change(ring) { bytes in
                // Events that are still waiting, by the header's word of how far they were moved.
                bytes.replaceSubrange(576..<584, with: Array(repeating: 0, count: 8))
                bytes[4096 + 100] ^= 0xFF
            }
        default: try folder.execute("a.sqlite", "UPDATE log SET install_id = 'install-b'")
        }
        let found = try await findings(folder.path)
        let bad = found.bad("journal-files") + found.bad("journal")
        #expect(bad.contains { $0.severity == "error" && $0.message.contains(message) }, "\(found)")
    }

    @Test("A write-ahead log that has grown, and an index of one that is gone")
    func writeAheadLog() async throws {
        let log = try await healthyLog()
        _ = try folder.file("a.sqlite-shm", Array(repeating: 0, count: 32768))
        #expect(try await findings(log).bad("write-ahead-log").map(\.severity) == ["note"])
        _ = try folder.file("a.sqlite-wal", Array(repeating: 0, count: 17 << 20))
        #expect(try await findings(log).bad("write-ahead-log").map(\.severity) == ["warning"])
    }

    @Test("Consumers: who is late, and whose deliverer has ended")
    func consumers() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(.launches(1...5), to: store)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: 3), refused: 2...2)
        _ = try await store.cursor(of: "queue")
        store.recordDrop(.tooLarge)
        try await store.close()
        try folder.execute("a.sqlite", "UPDATE consumers SET holder = 'writer-1-dead' WHERE name = 'http'")
        let found = try await findings(folder("a.sqlite"))
        #expect(found.bad("consumer-backlog").map(\.severity) == ["warning", "warning"])
        #expect(found.bad("consumer-backlog").map { $0.numbers["events"] } == [2, 5])
        #expect(found.bad("consumer-backlog").map { $0.numbers["bytes"] } == [2, 5].map { Int64(totalBytes($0)) })
        #expect(found.bad("consumer-holder").map(\.severity) == ["note"])
        #expect(
            found.bad("ledger").map(\.message) == ["1 event dropped for http: refused", "1 event dropped: too-large"])
    }

    @Test(
        "A sink's file against its checkpoint",
        arguments: [
            ("as written", nil), ("longer", "note"), ("shorter", "error"), ("gone", "error"),
        ])
    func checkpoint(change: String, severity: String?) async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(.launches(1...5), to: store)
        let sink = JSONLinesFileSink(directory: folder.path, fileName: "b", rotation: .never)
        let flusher = EventFlusher(
            log: store, sinks: [sink], policy: .manual, clock: SystemTrackingClock(), timer: ContinuousClock(),
            diagnostics: { Issue.record("\($0)") })
        await flusher.flush()
        try await store.close()
        switch change {
        case "longer": try folder.change("b.jsonl") { $0 += Array("{}\n".utf8) }
        case "shorter": try folder.change("b.jsonl") { $0.removeLast(200) }
        case "gone":
            try FileManager.default.moveItem(atPath: folder("b.jsonl"), toPath: folder("b-0000000000000099.jsonl"))
        default: break
        }
        let found = try await findings(folder("a.sqlite"))
        #expect(found.bad("consumer-checkpoint").map(\.severity) == (severity.map { [$0] } ?? []))
    }

    // MARK: Files of lines

    @Test("Files that cannot be read to their end, line by line")
    func files() async throws {
        let text = [TrackctlLine].launches(1...100).text
        let packed = try await gzip(text)
        _ = try folder.file("faulty.jsonl", text + "no JSON\n{}\n")
        _ = try folder.file("torn.jsonl", text + "{\"v\":1")
        _ = try folder.file("cut.jsonl.gz", Array(packed.dropLast(30)))
        _ = try folder.file("flipped.jsonl.gz", packed.enumerated().map { $0 == packed.count - 6 ? ~$1 : $1 })
        _ = try folder.file("good.jsonl", text)
        let found = try await findings(folder.path).bad("file-lines")
        #expect(found.map(\.place) == ["cut.jsonl.gz", "faulty.jsonl", "flipped.jsonl.gz", "torn.jsonl"])
        #expect(found.map(\.severity) == ["error", "error", "error", "warning"])
        #expect(found[1].message == "2 of 102 lines are at fault, first line 101: column 1: expected null")
        #expect(found[0].message == "the compressed data breaks off before its end")
        #expect(found[2].message == "the compressed data is damaged")
    }

    @Test("Numbers go on over the borders of files, in the order of the files")
    func fileNumbers() async throws {
        for place in [1, 3, 12] as [Int64] {
            let name = "b-" + String(repeating: "0", count: 16 - "\(place)".count) + "\(place).jsonl"
            _ = try folder.file(name, [TrackctlLine].launches(place...(place == 1 ? 2 : place == 3 ? 11 : 12)).text)
        }
        for (number, seqs) in [(10, 1...5), (2, 6...7), (1, 8...9)] as [(Int, ClosedRange<Int64>)] {
            _ = try folder.file("c.jsonl.\(number)", [TrackctlLine].launches(seqs).text)
        }
        #expect(try await findings(folder.path).bad("file-numbers") == [])
        _ = try folder.file("c.jsonl", [TrackctlLine(9), TrackctlLine(12)].text)
        try FileManager.default.removeItem(atPath: folder("b-0000000000000003.jsonl"))
        let found = try await findings(folder.path).bad("file-numbers")
        #expect(found.map(\.severity) == ["warning", "error"])
        #expect(found[0].message == "9 numbers are missing: 3-11")
        #expect(found[1].message == "1 events repeat or step back in number, first 9")
        #expect(found[1].numbers["missing"] == 2)
    }

    @Test("What is left lying about is named")
    func leftovers() async throws {
        for name in ["b.jsonl.damaged-1", "b.dlq.jsonl", "c.jsonl.partial", "a.sqlite.salvage-draft"] {
            _ = try folder.file(name, "{}\n")
        }
        _ = try folder.file("empty.rejects.jsonl", "")
        try FileManager.default.createDirectory(
            atPath: folder("a.sqlite.damaged-1"), withIntermediateDirectories: false)
        let found = try await findings(folder.path).bad("left-overs")
        #expect(
            found.map { "\($0.severity) \($0.place)" } == [
                "note a.sqlite.damaged-1", "note b.jsonl.damaged-1", "warning b.dlq.jsonl", "warning c.jsonl.partial",
                "note a.sqlite.salvage-draft",
            ])
    }

    @Test("Files that others may read in a folder that they may enter")
    func permissions() async throws {
        let log = try await healthyLog()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: log)
        #expect(try await findings(log).bad("permissions") == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        #expect(try await findings(log).bad("permissions").map(\.message) == ["every user of this machine may read it"])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: log)
        #expect(try await findings(log).bad("permissions") == [])
    }

    @Test("A disk with little room")
    func freeSpace() async throws {
        guard SmallDisk.isAvailable else { return print("skipped 1 test, which needs root on Linux: a small disk") }
        let disk = try await SmallDisk(kilobytes: 1024)
        try Data([TrackctlLine].launches(1...3).text.utf8).write(to: URL(fileURLWithPath: disk.path + "/b.jsonl"))
        #expect(try await findings(disk.path).bad("free-space").map(\.severity) == ["warning"])
    }
}
