import CommandRunner
import EventLog
import EventModel
import Foundation
import GRDB
import Testing

@Suite("trackctl prune --user")
struct TrackctlErasureTests: ErasureTests {
    let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
    }

    /// A folder with a file of every kind, as left by a killed process. The user is in each file.
    private func fill() async throws {
        try await folder.killedLog("a.sqlite", stored: lines(1...200), waiting: lines(201...300))
        _ = try folder.file("b-0000000000000001.jsonl", lines(1...50).text)
        _ = try folder.file("b-0000000000000051.jsonl.gz", try await gzip(lines(51...100).text))
        _ = try folder.file("b.jsonl", lines(101...200).text + #"{"v":1,"user_id":"\#(Self.user)"#)
        _ = try folder.file("b.jsonl.damaged-1", lines(1...9).text)
        _ = try folder.file("b.dlq.jsonl", lines(1...4).text)
        _ = try folder.file("b.rejects.jsonl", "no JSON, but \(Self.user)\n{\"reason\":\"x\"}\n")
        _ = try folder.file("c.jsonl.partial", lines(1...6).text)
        _ = try folder.file(
            "actions.jsonl",
            """
            {"action":"search","user_id":"\(Self.other)"}
            {"action":"login","as":{"id":"\(Self.user)"}}
            {"action":"back","user_id":"\(Self.user)"}

            """)
        // Quarantined by an earlier salvage: a complete database with its -wal file, and a ring.
        let aside = try TrackctlFolder()
        try await aside.killedLog("a.sqlite", stored: lines(1...60), waiting: lines(61...80))
        let files = FileManager.default
        try files.createDirectory(atPath: folder("a.sqlite.damaged-1"), withIntermediateDirectories: false)
        for suffix in ["", "-wal"] {
            try files.copyItem(
                atPath: aside("a.sqlite" + suffix), toPath: folder("a.sqlite.damaged-1/a.sqlite" + suffix))
        }
        let ring = try #require(try aside.rings("a.sqlite").first)
        try files.copyItem(atPath: aside(ring), toPath: folder("a.sqlite.damaged-1/writer-1-a"))
        _ = try folder.file("a.sqlite.damaged-1/reason.txt", "it was damaged\n")
        // The same with an unreadable first page.
        try files.createDirectory(atPath: folder("a.sqlite.damaged-2"), withIntermediateDirectories: false)
        _ = try folder.file("a.sqlite.damaged-2/a.sqlite", Array(repeating: 0x5A, count: 9000) + Array(Self.user.utf8))
        _ = try folder.file("a.sqlite.salvage-draft", "a copy with \(Self.user)")
    }

    private func expectErased(_ result: CommandResult) async throws {
        #expect(result.exitCode == 0, "\(result.text) \(result.stderr)")
        #expect(result.lines.last == "no trace of the user is left")
        for form in [Self.user, Self.user.lowercased()] {
            #expect(try await folder.filesHolding(form) == [])
        }
        #expect(try await trackctl(["dump", folder("a.sqlite")]).text == others(lines(1...300)).text)
        #expect(folder.bytes("b-0000000000000001.jsonl") == Array(others(lines(1...50)).text.utf8))
        let packed = try #require(folder.bytes("b-0000000000000051.jsonl.gz"))
        #expect(try await gunzip(packed) == Array(others(lines(51...100)).text.utf8))
        #expect(folder.bytes("b.jsonl") == Array(others(lines(101...200)).text.utf8))
        #expect(folder.bytes("b.jsonl.damaged-1") == Array(others(lines(1...9)).text.utf8))
        #expect(folder.bytes("b.dlq.jsonl") == Array(others(lines(1...4)).text.utf8))
        #expect(folder.bytes("b.rejects.jsonl") == Array("{\"reason\":\"x\"}\n".utf8))
        #expect(folder.bytes("c.jsonl.partial") == Array(others(lines(1...6)).text.utf8))
        #expect(
            folder.bytes("actions.jsonl") == Array("{\"action\":\"search\",\"user_id\":\"\(Self.other)\"}\n".utf8))
        let aside = try await trackctl(["dump", folder("a.sqlite.damaged-1/a.sqlite")])
        #expect(aside.text == others(lines(1...60)).text)
        #expect(
            Data(folder.bytes("a.sqlite.damaged-1/writer-1-a") ?? []).range(of: Data(Self.other.utf8)) != nil)
        let left = try folder.query("a.sqlite", "SELECT sum(count) FROM ledger WHERE reason = 'erased'")
        #expect(left == ["150"])
        let doctor = try DoctorFinding.all(
            try await trackctl(["doctor", folder("a.sqlite"), "--json"]).lines.first)
        #expect(doctor.filter { $0.severity == "error" || $0.severity == "warning" } == [])
    }

    @Test("Every trace is removed, from every kind of file, and all lines of others are unchanged")
    func everywhere() async throws {
        try await fill()
        let before = try folder.snapshot()
        let plan = try await erase("--dry-run")
        #expect(plan.exitCode == 0, "\(plan.text)")
        #expect(try folder.snapshot().filter { !$0.key.hasSuffix("-shm") } == before)
        #expect(plan.lines.contains("\(folder("a.sqlite")): would remove 150 lines"))
        try await expectErased(try await erase())
        let again = try folder.snapshot()
        let second = try await erase()
        #expect(second.lines.first == "removed 0 lines, freed 0 bytes" && second.exitCode == 0)
        let files = try folder.snapshot().filter { !$0.key.hasPrefix("a.sqlite") }
        #expect(files == again.filter { !$0.key.hasPrefix("a.sqlite") })
    }

    @Test("Killed at any time, it loses nothing of others, and the next run completes it")
    func killed() async throws {
        let calm = try TrackctlErasureTests()
        try await calm.fill()
        let start = ContinuousClock.now
        #expect(try await calm.erase().exitCode == 0)
        // A machine that was busy only until here kills few: repeat in a separate folder, in smaller steps.
        var step = (ContinuousClock.now - start) / .seconds(1) / 20
        while true {
            let erasure = try TrackctlErasureTests()
            try await erasure.fill()
            if try await erasure.killedUntilDone(step: step) >= 3 { break }
            step /= 2
        }
    }

    /// Erases, killed `step` seconds later each time, until a run completes; returns how many were killed.
    private func killedUntilDone(step: Double) async throws -> Int {
        var kills = 0
        while true {
            let result = try await runProgram(
                "/usr/bin/timeout",
                ["-s", "KILL", "\(step * Double(kills + 1))", CommandLocation.path(of: "trackctl")]
                    + ["prune", folder.path, "--user", Self.user])
            if result.signal == nil && result.exitCode != 137 {
                // Its output is that of a run with less to do.
                #expect(result.exitCode == 0, "\(result.text) \(result.stderr)")
                try await expectErased(result)
                return kills
            }
            kills += 1
            let dumped = try await trackctl(["dump", folder("a.sqlite")])
            #expect(Set(others(lines(1...300)).map(\.text)).isSubset(of: dumped.lines))
            #expect(dumped.stderr.isEmpty)
        }
    }

    @Test(
        "Escapes, and a user whose id is part of another's",
        arguments: [
            (#"é/"\x"#, #"\u00e9\/\"\\x"#), ("u1", "\\u00751"), ("12", "12"), ("user-1234", "\\u0075ser-1234"),
        ])
    func forms(id: String, escaped: String) async throws {
        let text = """
            {"user_id":"\(escaped)","n":1}
            {"user_id":"x\(escaped)","n":2}
            {"user_id":"\(Self.other)","n":3}

            """
        let path = try folder.file("b.jsonl", text)
        let isShort = id.utf8.count < 8
        let result = try await trackctl(["prune", path, "--user", id])
        // A long id inside another's is a mention: it may mean the user.
        #expect(result.exitCode == (isShort ? 0 : 1), "\(result.text)")
        #expect(result.lines.contains("\(path): lines of other users with the id: 2") != isShort)
        #expect(
            folder.bytes("b.jsonl") == Array(text.split(separator: "\n").dropFirst().map { "\($0)\n" }.joined().utf8))
    }

    @Test(
        "Lines of others that mention the user are reported, and are removed with --mentions", arguments: [true, false])
    func mentions(removes: Bool) async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        let mention = #"{"user_id":"x","event":{"value":{"to":"user \#(Self.user)"}}}"#
        for text in [mention, lines(2...2)[0].text, lines(3...3)[0].text] {
            _ = store.append { seq in
                EventRecord(
                    seq: seq, id: TrackctlLine(seq).id, time: EventTime(seconds: 1), name: "a", line: Array(text.utf8))
            }
        }
        try await store.close()
        _ = try folder.file("b.jsonl", mention + "\n" + lines(3...3).text)
        let result = removes ? try await erase("--mentions") : try await erase()
        #expect(result.exitCode == (removes ? 0 : 1))
        #expect(try folder.query("a.sqlite", "SELECT seq FROM events") == (removes ? ["3"] : ["1", "3"]))
        #expect(folder.bytes("b.jsonl") == Array(((removes ? "" : mention + "\n") + lines(3...3).text).utf8))
        if !removes {
            #expect(result.lines.contains("\(folder("a.sqlite")): events of other users with the id: 1"))
            #expect(result.lines.contains("\(folder("b.jsonl")): lines of other users with the id: 1"))
            let offset = mention.prefix { $0 != "F" }.utf8.count
            #expect(result.lines.contains("\(folder("b.jsonl")): the id remains at byte \(offset)"))
            #expect(result.lines.last == "the erasure is incomplete")
        }
    }

    @Test("A plan does not say whether the erasure is complete; the erasure does")
    func completeness() async throws {
        _ = try folder.file("b.jsonl", lines(1...9).text)
        #expect(try await erase("--dry-run", "--json").text.contains(#""complete":null"#))
        #expect(try await erase("--json").text.contains(#""complete":true"#))
    }

    @Test("The app's own storage is named and not changed; so are unreadable files")
    func storage() async throws {
        let storage = "{\"device-id\":\"\(Self.user.lowercased())\"}"
        _ = try folder.file("storage.json", storage)
        let packed = Array(try await gzip(lines(1...100).text).dropLast(20))
        _ = try folder.file("b-0000000000000001.jsonl.gz", packed)
        let result = try await erase()
        #expect(result.exitCode == 1)
        #expect(result.lines.contains("\(folder("storage.json")): the id remains at byte 14"))
        #expect(result.lines.contains { $0.hasPrefix("\(folder("b-0000000000000001.jsonl.gz")): unchanged: ") })
        #expect(folder.bytes("storage.json") == Array(storage.utf8))
        #expect(folder.bytes("b-0000000000000001.jsonl.gz") == packed)
    }

    @Test("While an app has the log open, nothing is done, and the exit code is 75", .builtProgram)
    func open() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(lines(1...10), to: store)
        try await store.commit()
        _ = try folder.file("b.jsonl", lines(1...10).text)
        let result = try await erase()
        #expect(result.exitCode == 75)
        #expect(result.stderr.contains("close the app, and run this again; nothing was changed"))
        #expect(folder.bytes("b.jsonl") == Array(lines(1...10).text.utf8))
        #expect(try await erase("--dry-run").lines.contains("\(folder("a.sqlite")): would remove 5 lines"))
        try await store.close()
    }

    @Test("Erased numbers are distinguished from lost ones when the log is damaged afterwards")
    func damagedAfterwards() async throws {
        _ = try await folder.log("a.sqlite", lines(1...400))
        #expect(try await erase().exitCode == 0)
        try folder.change("a.sqlite") { bytes in
            bytes.replaceSubrange(20 * 4096..<20 * 4096 + 60, with: Array(repeating: 0x5A, count: 60))
        }
        let fixed = try await trackctl(["doctor", folder("a.sqlite"), "--fix"])
        #expect(fixed.lines.first?.hasPrefix("done ") == true, "\(fixed.text)")
        let events = try #require(try Int(folder.query("a.sqlite", "SELECT count(*) FROM events")[0]))
        let ledger = try folder.query(
            "a.sqlite", "SELECT reason || ' ' || sum(count) FROM ledger GROUP BY reason ORDER BY reason")
        #expect(events < 200 && ledger == ["damaged \(200 - events)", "erased 200"])
    }

    @Test("While a reader blocks it, the erasure is not called complete", .builtProgram)
    func reader() async throws {
        _ = try await folder.log("a.sqlite", lines(1...40))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let reader = try DatabaseQueue(path: folder("a.sqlite"), configuration: configuration)
        try reader.runOpenly("BEGIN; SELECT count(*) FROM events")
        let blocked = try await erase()
        #expect(blocked.exitCode == 75 && blocked.stdout.isEmpty)
        try reader.runOpenly("ROLLBACK")
        try reader.close()
        #expect(try await erase().exitCode == 0)
        #expect(try await folder.filesHolding(Self.user) == [])
    }

    @Test("A link is followed, and a pipe is ignored")
    func links() async throws {
        let elsewhere = try TrackctlFolder()
        let target = try elsewhere.file("c.jsonl", lines(1...4).text)
        try FileManager.default.createSymbolicLink(atPath: folder("b.jsonl"), withDestinationPath: target)
        #expect(mkfifo(folder("pipe.jsonl"), 0o600) == 0)
        #expect(try await erase().exitCode == 0)
        #expect(elsewhere.bytes("c.jsonl") == Array(others(lines(1...4)).text.utf8))
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: folder("b.jsonl")) == target)
        #expect(try elsewhere.names() == ["c.jsonl"])
    }

    @Test("Permissions are unchanged")
    func permissions() async throws {
        let path = try folder.file("b.jsonl", lines(1...10).text)
        try FileManager.default.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        #expect(try await erase().exitCode == 0)
        let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? NSNumber
        #expect(mode?.intValue == 0o640)
    }
}

extension DatabaseQueue {
    /// Runs SQL, and leaves the database open.
    fileprivate func runOpenly(_ sql: String) throws { try inDatabase { try $0.execute(sql: sql) } }
}
