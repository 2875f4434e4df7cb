import CommandRunner
import EventLog
import Foundation
import Testing
import TrackingCore

@Suite("trackctl doctor")
struct TrackctlDoctorTests {
    private let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
    }

    private func doctor(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(["doctor"] + arguments)
    }

    @Test("A sound log with sound files: every check says so, and nothing is written")
    func healthy() async throws {
        let log = try await folder.deliveredLog()
        _ = try folder.file("b-0000000000000001.jsonl", [TrackctlLine].launches(1...2).text)
        _ = try folder.file("b-0000000000000003.jsonl.gz", try await gzip([TrackctlLine].launches(3...4).text))
        _ = try folder.file("b.jsonl", [TrackctlLine].launches(5...5).text)
        let before = try folder.snapshot()
        let result = try await doctor(folder.path, "--thorough")
        #expect(try folder.snapshot() == before)
        let path = folder.path
        #expect(
            result.lines.filter { !$0.contains("free-space") } == [
                "ok       database-header      \(log): format 6, pages of 4096 bytes",
                "ok       database-structure   \(log): integrity_check: no errors",
                "ok       database-free-pages  \(log): 0 free pages, to be released",
                "ok       write-ahead-log      \(log): no write-ahead log: the log was closed",
                "ok       database-totals      \(log): 5 events, \([TrackctlLine].launches(1...5).byteCount) bytes of lines",
                "ok       numbers              \(log): each number up to 5 is accounted for",
                "ok       clock                \(log): no clock jumps",
                "ok       database-lines       \(log): all of 5 lines",
                "ok       journal              \(log): no journals: the log was closed",
                "ok       consumer-backlog     \(log): http is up to date",
                "ok       ledger               \(log): no events were dropped",
                "ok       file-lines           \(path)/b-0000000000000001.jsonl: 2 lines",
                "ok       file-lines           \(path)/b-0000000000000003.jsonl.gz: 2 lines",
                "ok       file-lines           \(path)/b.jsonl: 1 line",
                "ok       file-numbers         \(path)/b.jsonl: 5 events, 1 to 5",
                "ok       file-clock           \(path)/b.jsonl: no clock jumps",
                "ok       left-overs           \(path): none",
                "ok       permissions          \(path): 4 files not readable by other users",
            ])
        #expect(result.exitCode == 0 && result.stderr.isEmpty)
    }

    @Test("The worst finding comes first, with its advice below it, and the exit code is 1")
    func text() async throws {
        let log = try await folder.deliveredLog()
        try folder.execute("a.sqlite", "UPDATE log SET event_count = 9")
        let result = try await doctor(log)
        #expect(
            Array(result.lines.prefix(2)) == [
                "error    database-totals      \(log): the log counts 9 events and \([TrackctlLine].launches(1...5).byteCount) bytes, but holds 5 "
                    + "and \([TrackctlLine].launches(1...5).byteCount)",
                "         limits on count and size use these totals: copy the log with trackctl replay, and use the copy",
            ])
        #expect(result.lines.dropFirst(2).allSatisfy { $0.hasPrefix("ok ") })
        #expect(result.exitCode == 1)
    }

    @Test(
        "Errors in rows are found",
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
                "2 numbers neither in an event nor in the ledger: 2-3"
            ),
            ("numbers", "UPDATE log SET last_seq = 7", "2 numbers neither in an event nor in the ledger: 6-7"),
            (
                "numbers",
                "INSERT INTO ledger (reason, consumer, first_seq, last_seq, count) VALUES ('damaged', '', 2, 4, 3)",
                "3 events have numbers"
            ),
            (
                "numbers", "UPDATE events SET seq = 9223372036854775807 WHERE seq = 5; UPDATE log SET last_seq = 4",
                "1 have numbers"
            ),
            ("numbers", "UPDATE log SET last_seq = 9223372036854775807", "numbers neither in an event nor"),
            ("clock", "UPDATE events SET time = time - 62000000 WHERE seq = 4", "first at event 4, at most by 61 s"),
            (
                "clock", "UPDATE events SET time = 32503680000000000 WHERE seq = 5",
                "1 event has a time in the future, first 5"
            ),
        ])
    func rows(check: String, sql: String, message: String) async throws {
        let log = try await folder.deliveredLog()
        try folder.execute("a.sqlite", sql)
        let found = try await doctorFindings(log).bad(check)
        #expect(found.count == 1 && found[0].message.contains(message), "\(found)")
    }

    @Test("Numbers that the ledger explains are no gap, whatever the reason")
    func explained() async throws {
        let log = try await folder.deliveredLog()
        try folder.execute(
            "a.sqlite",
            """
            DELETE FROM events WHERE seq IN (2, 3, 4);
            UPDATE log SET event_count = 2, event_bytes = (SELECT sum(length(line)) FROM events);
            INSERT INTO ledger (reason, consumer, first_seq, last_seq, count) VALUES ('erased', '', 2, 3, 2), ('of-a-newer-version', '', 4, 4, 1);
            """)
        let found = try await doctorFindings(log)
        #expect(found.map(\.check) == ["ledger", "ledger"])
        #expect(found.map(\.message) == ["2 events dropped: erased", "1 event dropped: of-a-newer-version"])
        #expect(found.map(\.severity) == ["note", "note"])
    }

    @Test("Steps back in time up to the limit are not clock jumps")
    func clockLimit() async throws {
        let log = try await folder.deliveredLog()
        try folder.execute("a.sqlite", "UPDATE events SET time = time - 61000000 WHERE seq = 4")
        #expect(try await doctorFindings(log, "--clock-jump", "2m").bad("clock") == [])
    }

    @Test(
        "A damaged page, a first page of another kind, and a truncation are found", arguments: ["page", "head", "cut"])
    func structure(damage: String) async throws {
        let log = try await folder.deliveredLog(count: 400)
        try folder.change("a.sqlite") { bytes in
            switch damage {
            case "page": bytes.replaceSubrange(8 * 4096..<8 * 4096 + 100, with: Array(repeating: 0x5A, count: 100))
            case "head": bytes.replaceSubrange(100..<4096, with: Array(repeating: 0x5A, count: 3996))
            default: bytes.removeLast(5000)
            }
        }
        let before = try folder.snapshot()
        let found = try await doctorFindings(log)
        #expect(try folder.snapshot() == before)
        let checks = Set(found.filter { $0.severity == "error" }.map(\.check))
        #expect(!checks.isDisjoint(with: damage == "page" ? ["database-structure"] : ["database-header"]))
    }

    @Test("Lines of a large log are sampled, and --thorough reads all")
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
        #expect(sampled.message == "sample of 10,000 of 12,000 lines (--thorough reads all)")
        let all = try DoctorFinding.all(try await doctor(folder("a.sqlite"), "--json", "--thorough").lines.first)
        #expect(all.first { $0.check == "database-lines" }?.message == "all of 12,000 lines")
    }

    @Test("A file that is not a log, too new or missing has its own exit code; the other logs are examined")
    func refused() async throws {
        let log = try await folder.deliveredLog()
        try folder.execute("other.sqlite", "CREATE TABLE t (a)")
        try folder.execute("empty.sqlite", "PRAGMA user_version = 1")
        #expect(try await doctor(folder("other.sqlite")).exitCode == 65)
        #expect(try await doctor(folder("empty.sqlite")).exitCode == 65)
        #expect(try await doctorFindings(folder.path).bad("database-header").map(\.location) == ["empty.sqlite"])
        #expect(try await doctor(folder("missing.sqlite")).exitCode == 66)
        let both = try await doctor(folder("missing.sqlite"), log)
        #expect(
            both.exitCode == 66
                && both.stderr == "trackctl: cannot open \(folder("missing.sqlite")): no such file; check the path\n")
        #expect(both.lines.contains { $0.hasPrefix("ok       numbers") })
        try folder.execute("a.sqlite", "PRAGMA user_version = 99")
        let json = try await doctor(folder("missing.sqlite"), "--json")
        #expect(
            json.text == """
                {"failure":"cannot open \(folder("missing.sqlite")): no such file; check the path","findings":[],\
                "log":"\(folder("missing.sqlite"))","severity":"error","steps":[]}

                """)
        let newer = try await doctor(log)
        #expect(newer.exitCode == 65 && newer.stderr.contains("written by a newer version"))
    }
}
