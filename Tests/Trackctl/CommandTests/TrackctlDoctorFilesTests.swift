import CommandRunner
import EventLog
import Foundation
import Testing
import TrackingCore

/// The checks of `trackctl doctor` besides the database's: journals, consumers, files of lines, permissions.
@Suite("trackctl doctor and the files of a database")
struct TrackctlDoctorFilesTests {
    private let folder: TrackctlFolder

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
    }

    @Test("A log that an app has open is sound", .builtProgram)
    func open() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(.launches(1...50), to: store)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: 50), refused: nil)
        let found = try DoctorFinding.all(
            try await trackctl(["doctor", folder.path, "--json"]).lines.first)
        #expect(found.allSatisfy { $0.severity == "ok" }, "\(found)")
        #expect(found.first { $0.check == "journal" }?.numbers["living"] == 1)
        let wal = try #require(found.first { $0.check == "write-ahead-log" })
        #expect(wal.location == "a.sqlite-wal" && (wal.numbers["frames"] ?? 0) > 0)
        try await store.close()
    }

    @Test("Waiting events in the journal of a killed process are reported")
    func killed() async throws {
        try await folder.killedLog("a.sqlite", stored: .launches(1...3), waiting: .launches(4...9))
        let found = try await doctorFindings(folder.path)
        #expect(found.bad("journal").map(\.severity) == ["note"])
        #expect(found.bad("journal").first?.advice?.hasPrefix("no action needed") == true)
        #expect(found.bad("journal").first?.numbers["waiting"] == 6)
        #expect(found.bad("numbers") == [] && found.bad("journal-files") == [])
    }

    @Test("A log that was not closed is sound, with all events in the write-ahead log")
    func unclosed() async throws {
        let log = try await folder.killedLog("a.sqlite", stored: .launches(1...3), waiting: [])
        let result = try await trackctl(["doctor", log])
        #expect(!result.text.contains("--fix"))
        #expect(result.lines.contains("ok       database-header      \(log): format 6, pages of 4096 bytes"))
        #expect(result.lines.contains("ok       database-free-pages  \(log): 0 free pages, to be released"))
        #expect(
            result.lines.contains(
                "ok       journal              \(log).journal: 0 running and 1 ended writer, with all events in the "
                    + "database"))
        #expect(result.exitCode == 0)
    }

    @Test(
        "Truncated, damaged, foreign or newer journal files are reported",
        arguments: [
            ("ring", "bytes long instead of"), ("tiny", "truncated to 10 bytes"), ("control", "its header is damaged"),
            ("record", "invalid bytes between records"),
            ("foreign", "the journals and the database belong to different logs"),
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
                // Events that are still waiting, by the header's position of the mover.
                bytes.replaceSubrange(576..<584, with: Array(repeating: 0, count: 8))
                bytes[4096 + 100] ^= 0xFF
            }
        default: try folder.execute("a.sqlite", "UPDATE log SET install_id = 'install-b'")
        }
        let found = try await doctorFindings(folder.path)
        let bad = found.bad("journal-files") + found.bad("journal")
        #expect(bad.contains { $0.severity == "error" && $0.message.contains(message) }, "\(found)")
    }

    @Test("A large write-ahead log, and an index without one, are reported")
    func writeAheadLog() async throws {
        let log = try await folder.deliveredLog()
        _ = try folder.file("a.sqlite-shm", Array(repeating: 0, count: 32768))
        #expect(try await doctorFindings(log).bad("write-ahead-log").map(\.severity) == ["note"])
        _ = try folder.file("a.sqlite-wal", Array(repeating: 0, count: 17 << 20))
        #expect(try await doctorFindings(log).bad("write-ahead-log").map(\.severity) == ["warning"])
    }

    @Test("Consumers that are late, and those whose deliverer has ended, are reported")
    func consumers() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(.launches(1...5), to: store)
        try await store.acknowledge(ConsumerCursor(consumer: "http", acknowledged: 3), refused: 2...2)
        _ = try await store.cursor(of: "queue")
        store.recordDrop(.tooLarge)
        try await store.close()
        try folder.execute("a.sqlite", "UPDATE consumers SET holder = 'writer-1-dead' WHERE name = 'http'")
        let found = try await doctorFindings(folder("a.sqlite"))
        #expect(found.bad("consumer-backlog").map(\.severity) == ["warning", "warning"])
        #expect(found.bad("consumer-backlog").map { $0.numbers["events"] } == [2, 5])
        #expect(
            found.bad("consumer-backlog").map { $0.numbers["bytes"] }
                == [2, 5].map { Int64([TrackctlLine].launches(1...$0).byteCount) })
        // Years: not in seconds.
        #expect(found.bad("consumer-backlog").allSatisfy { $0.message.contains(/the oldest \d,\d{3} days old$/) })
        #expect(found.bad("consumer-holder").map(\.severity) == ["note"])
        #expect(
            found.bad("ledger").map(\.message) == ["1 event dropped for http: refused", "1 event dropped: too-large"])
    }

    @Test("Consumers with held events, and those that stopped, fail, or had batches voided, are reported")
    func deliveries() async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        var lines = [TrackctlLine].launches(1...4)
        (lines[0].user, lines[1].user) = ("new", "leaving")
        _ = store.noteConsent(.policy(.required, person: "new"))
        folder.append(lines, to: store)
        let now = EventTime(seconds: 1_800_000_000)
        func deliver(to consumer: String, _ result: DeliveryResult, settles: Bool = true) async throws {
            let lease = try #require(
                try await store.beginDelivery(to: consumer, lasting: .seconds(60), at: now))
            let batch = try #require(
                try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(60)))
            let pause = DeliveryPause(
                setAt: ClockReading(time: now, sinceBoot: .now), length: .seconds(60), isServers: false)
            if settles { _ = try await store.settle(lease, batch: batch.id, result, pause: pause) }
            try await store.endDelivery(lease)
        }
        try await deliver(to: "done", .delivered(through: 4, checkpoint: nil))
        try await deliver(to: "stopped", .halt(reason: "401: the key is wrong"))
        try await deliver(to: "failing", .retry(after: nil, reason: "503"))
        try await deliver(to: "voided", .delivered(through: 4, checkpoint: nil), settles: false)
        try await store.setConsent(.denied, of: ["leaving"])
        try await deliver(to: "voided", .delivered(through: 4, checkpoint: nil))
        try await store.close()
        let found = try await doctorFindings(folder("a.sqlite"))
        let backlog = found.bad("consumer-backlog").map { $0.numbers["events"] ?? -1 }
        #expect(backlog.first == 1)  // held
        let messages = found.bad("consumer-delivery").map(\.message)
        #expect(messages.contains("stopped has stopped: 401: the key is wrong"))
        #expect(messages.contains { $0.hasPrefix("failing has failed 1 time in a row, and is retried") })
        let voided = "1 batch for voided voided, 1 of them delivered without a response: "
        #expect(messages.contains { $0.hasPrefix(voided) })
    }

    @Test(
        "A sink's file is compared with its checkpoint",
        arguments: [
            ("as written", nil), ("longer", "note"), ("shorter", "error"), ("gone", "error"),
        ])
    func checkpoint(change: String, severity: String?) async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(.launches(1...5), to: store)
        let sink = JSONLinesFileSink(directory: folder.path, fileName: "b", rotation: .never)
        let flusher = try EventFlusher(
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
        let found = try await doctorFindings(folder("a.sqlite"))
        #expect(found.bad("consumer-checkpoint").map(\.severity) == (severity.map { [$0] } ?? []))
    }

    @Test("Files that cannot be read completely are reported line by line")
    func files() async throws {
        let text = [TrackctlLine].launches(1...100).text
        let packed = try await gzip(text)
        _ = try folder.file("faulty.jsonl", text + "no JSON\n{}\n")
        _ = try folder.file("torn.jsonl", text + "{\"v\":1")
        _ = try folder.file("cut.jsonl.gz", Array(packed.dropLast(30)))
        _ = try folder.file("flipped.jsonl.gz", packed.enumerated().map { $0 == packed.count - 6 ? ~$1 : $1 })
        _ = try folder.file("good.jsonl", text)
        let found = try await doctorFindings(folder.path).bad("file-lines")
        #expect(found.map(\.location) == ["cut.jsonl.gz", "faulty.jsonl", "flipped.jsonl.gz", "torn.jsonl"])
        #expect(found.map(\.severity) == ["error", "error", "error", "warning"])
        #expect(found[1].message == "2 of 102 lines malformed, first line 101: column 1: expected null")
        #expect(found[0].message == "the compressed data ends too early")
        #expect(found[2].message == "the compressed data is damaged")
    }

    @Test("Numbers continue across files, in the order of the files")
    func fileNumbers() async throws {
        for location in [1, 3, 12] as [Int64] {
            let name = "b-" + String(repeating: "0", count: 16 - "\(location)".count) + "\(location).jsonl"
            _ = try folder.file(
                name, [TrackctlLine].launches(location...(location == 1 ? 2 : location == 3 ? 11 : 12)).text)
        }
        for (number, seqs) in [(10, 1...5), (2, 6...7), (1, 8...9)] as [(Int, ClosedRange<Int64>)] {
            _ = try folder.file("c.jsonl.\(number)", [TrackctlLine].launches(seqs).text)
        }
        #expect(try await doctorFindings(folder.path).bad("file-numbers") == [])
        _ = try folder.file("c.jsonl", [TrackctlLine(9), TrackctlLine(12)].text)
        try FileManager.default.removeItem(atPath: folder("b-0000000000000003.jsonl"))
        let found = try await doctorFindings(folder.path).bad("file-numbers")
        #expect(found.map(\.severity) == ["warning", "error"])
        #expect(found[0].message == "9 numbers missing: 3-11")
        #expect(found[1].message == "1 number repeated or out of order, first 9")
        #expect(found[1].numbers["missing"] == 2)
    }

    @Test("Leftover files are named")
    func leftovers() async throws {
        for name in [
            "b.jsonl.damaged-1", "b.dlq.jsonl", "c.jsonl.partial", "d.jsonl.resume.partial", "a.sqlite.salvage-draft",
        ] {
            _ = try folder.file(name, "{}\n")
        }
        _ = try folder.file("empty.rejects.jsonl", "")
        try FileManager.default.createDirectory(
            atPath: folder("a.sqlite.damaged-1"), withIntermediateDirectories: false)
        let found = try await doctorFindings(folder.path).bad("left-overs")
        #expect(
            found.map { "\($0.severity) \($0.location)" } == [
                "note a.sqlite.damaged-1", "note b.jsonl.damaged-1", "warning b.dlq.jsonl", "warning c.jsonl.partial",
                "warning d.jsonl.resume.partial", "note a.sqlite.salvage-draft",
            ])
        #expect(found[4].advice == "resume the interrupted replay with --resume, or remove the file")
    }

    @Test("Files readable by others, in a folder that others can enter, are reported")
    func permissions() async throws {
        let log = try await folder.deliveredLog()
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: log)
        #expect(try await doctorFindings(log).bad("permissions") == [])
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.path)
        #expect(
            try await doctorFindings(log).bad("permissions").map(\.message) == [
                "every user of this machine may read it"
            ])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: log)
        #expect(try await doctorFindings(log).bad("permissions") == [])
    }

    @Test("A database and the files of SQLite get one finding")
    func permissionsBeside() async throws {
        let log = try await folder.deliveredLog()
        _ = try folder.file("a.sqlite-shm", Array(repeating: 0, count: 32768))
        for name in ["", "a.sqlite", "a.sqlite-shm"] {
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder(name))
        }
        #expect(try await doctorFindings(log).bad("permissions").map(\.location) == ["a.sqlite"])
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: log)
        #expect(try await doctorFindings(log).bad("permissions").map(\.location) == ["a.sqlite-shm"])
    }

    @Test("A nearly full disk is reported", .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func freeSpace() async throws {
        let disk = try await SmallDisk(kilobytes: 1024)
        try Data([TrackctlLine].launches(1...3).text.utf8).write(to: URL(fileURLWithPath: disk.path + "/b.jsonl"))
        #expect(try await doctorFindings(disk.path).bad("free-space").map(\.severity) == ["warning"])
    }
}
