import CommandRunner
import EventLog
import Foundation
import Testing

@Suite("trackctl doctor --fix")
struct TrackctlDoctorFixTests {
    private let folder: TrackctlFolder
    private let lines = [TrackctlLine].launches(1...400)

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
    }

    private func fix(_ path: String, _ arguments: String...) async throws -> CommandResult {
        try await trackctl(["doctor", path, "--fix"] + arguments)
    }

    private func dump(_ name: String) async throws -> [String] {
        try await trackctl(["dump", folder(name)]).lines
    }

    /// How many numbers the ledger counts as damaged.
    private func damaged(_ name: String) throws -> Int {
        try Int(#require(folder.query(name, "SELECT ifnull(sum(count), 0) FROM ledger WHERE reason = 'damaged'").first))
            ?? 0
    }

    @Test(
        "With a damaged page, all events are there or counted, and the damaged file is kept", arguments: [4, 9, 15, 22])
    func page(page: Int) async throws {
        _ = try await folder.log("a.sqlite", lines)
        try folder.change("a.sqlite") { bytes in
            bytes.replaceSubrange(page * 4096..<page * 4096 + 200, with: Array(repeating: 0x5A, count: 200))
        }
        let broken = try #require(folder.bytes("a.sqlite"))
        let before = try folder.snapshot()
        let plan = try await fix(folder("a.sqlite"), "--dry-run")
        #expect(
            plan.lines.first
                == "would  \(folder("a.sqlite")): move the damaged files aside and build a new log from all readable events"
        )
        #expect(plan.exitCode == 1)
        #expect(try folder.snapshot() == before)

        let result = try await fix(folder("a.sqlite"))
        #expect(
            result.lines.first
                == "done   \(folder("a.sqlite.damaged-1")): has the damaged files; reason.txt states the reason")
        let events = try await dump("a.sqlite")
        let lost = try damaged("a.sqlite")
        #expect(
            result.lines[1].contains(
                "has \(events.count) events, up to number 400; its ledger counts \(lost) as damaged"))
        #expect(events.count + lost == 400)
        #expect(Set(events).isSubset(of: lines.map(\.text)) && events.count > 300)
        #expect(folder.bytes("a.sqlite.damaged-1/a.sqlite") == broken)
        let after = try DoctorFinding.all(
            try await trackctl(["doctor", folder("a.sqlite"), "--json"]).lines.first)
        #expect(!after.contains { ["error", "warning"].contains($0.severity) }, "\(after)")
        #expect(result.exitCode == 0)
    }

    @Test("Journals of a killed process are repaired, torn or complete", arguments: [true, false])
    func journal(isTorn: Bool) async throws {
        try await folder.killedLog("a.sqlite", stored: Array(lines[..<100]), waiting: Array(lines[100..<200]))
        if isTorn {
            let ring = try #require(try folder.rings("a.sqlite").first)
            let last = Array(lines[199].text.utf8)
            try folder.change(ring) { bytes in
                let location = try? #require(Data(bytes).range(of: Data(last))?.lowerBound)
                bytes[(location ?? 0) + 20] ^= 0xFF
            }
        }
        let result = try await fix(folder("a.sqlite"))
        let count = isTorn ? 99 : 100
        #expect(result.lines.first == "done   \(folder("a.sqlite")): moved \(count) events of 1 ended writer into it")
        let events = try await dump("a.sqlite")
        #expect(events == lines[..<(100 + count)].map(\.text))
        #expect(try damaged("a.sqlite") == 100 - count)
        #expect(!FileManager.default.fileExists(atPath: folder("a.sqlite.journal")))
    }

    @Test("A database that is missing while its journal is there is rebuilt")
    func missing() async throws {
        try await folder.killedLog("a.sqlite", stored: Array(lines[..<3]), waiting: Array(lines[3..<10]))
        for suffix in ["", "-wal"] { try FileManager.default.removeItem(atPath: folder("a.sqlite" + suffix)) }
        let result = try await fix(folder("a.sqlite"))
        #expect(result.stderr.isEmpty)
        let events = try await dump("a.sqlite")
        #expect(events.suffix(7) == lines[3..<10].map(\.text)[...])
        #expect(events.count + (try damaged("a.sqlite")) == 10)
    }

    @Test("A torn last line is moved to a separate file, byte for byte")
    func torn() async throws {
        let (whole, rest) = (
            Array(lines[..<5].map { "\($0.text)\n" }.joined().utf8), Array(lines[5].text.utf8.prefix(50))
        )
        _ = try folder.file("b.jsonl", whole + rest)
        _ = try folder.file("only.jsonl", rest)
        let before = try folder.snapshot()
        #expect(try await fix(folder.path, "--dry-run").exitCode == 1)
        #expect(try folder.snapshot() == before)
        let result = try await fix(folder.path)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(
            try folder.snapshot() == [
                "b.jsonl": whole, "b.jsonl.torn-1": rest, "only.jsonl": [], "only.jsonl.torn-1": rest,
            ])
        #expect(try await fix(folder.path).exitCode == 0)
        #expect(try folder.names().count == 4)
    }

    @Test("After an interrupted compression, the uncompressed file stays, and the partial one is renamed")
    func packing() async throws {
        let text = lines.text
        let packed = try await gzip(text)
        _ = try folder.file("b.jsonl.1", text)
        _ = try folder.file("b.jsonl.1.gz", Array(packed.prefix(packed.count / 2)))
        let result = try await fix(folder.path)
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(
            try folder.snapshot() == [
                "b.jsonl.1": Array(text.utf8), "b.jsonl.1.gz.damaged-1": Array(packed.prefix(packed.count / 2)),
            ])
    }

    @Test("An interrupted salvage is completed")
    func salvage() async throws {
        _ = try await folder.log("a.sqlite", lines)
        try FileManager.default.moveItem(atPath: folder("a.sqlite"), toPath: folder("a.sqlite.salvaged"))
        let result = try await fix(folder.path)
        #expect(
            result.lines.first
                == "done   \(folder("a.sqlite")): has 400 events, up to number 400; its ledger counts 0 as damaged"
        )
        #expect(try folder.names() == ["a.sqlite"])
        #expect(try await dump("a.sqlite") == lines.map(\.text))
    }

    @Test("A garbage first page loses no event; a file with nothing but garbage is not a log")
    func firstPage() async throws {
        _ = try await folder.log("a.sqlite", lines)
        try folder.change("a.sqlite") { $0.replaceSubrange(0..<4096, with: Array(repeating: 0x5A, count: 4096)) }
        #expect(try await trackctl(["doctor", folder("a.sqlite")]).exitCode == 1)
        #expect(try await fix(folder("a.sqlite")).stderr.isEmpty)
        #expect(try await dump("a.sqlite") == lines.map(\.text))
        let garbage = Array(repeating: UInt8(0x5A), count: 8 * 4096)
        _ = try folder.file("b.sqlite", garbage)
        #expect(try await fix(folder("b.sqlite")).exitCode == 65)
        #expect(folder.bytes("b.sqlite") == garbage)
    }

    @Test("A sound log is not changed")
    func healthy() async throws {
        _ = try await folder.log("a.sqlite", lines)
        _ = try folder.file("b.jsonl", lines.text)
        let before = try folder.snapshot()
        #expect(try await fix(folder.path).exitCode == 0)
        #expect(try folder.snapshot() == before)
    }

    @Test("A last line that lacks only its line feed gets one, and loses nothing")
    func unended() async throws {
        let text = Array(lines[..<5]).text
        _ = try folder.file("b.jsonl", String(text.dropLast()))
        _ = try folder.file("c.jsonl", lines[0].text)
        _ = try folder.file("b.dlq.jsonl", "{\"reason\":\"x\"}")
        _ = try folder.file("d.dlq.jsonl", "12")
        let before = try folder.snapshot()
        let found = try await doctorFindings(folder.path)
        #expect(
            found.bad("file-lines").map(\.message) == [
                "its last line lacks only the line feed",
                "its last line lacks only the line feed",
                "its last line lacks only the line feed",
                "its last line has no line feed: a write was interrupted",
            ])
        #expect(found.bad("file-lines").map { $0.numbers["unended"] } == [1, 1, 1, 0])
        let plan = try await fix(folder.path, "--dry-run")
        #expect(plan.lines.contains("would  \(folder("b.jsonl")): add the missing final line feed"))
        #expect(try folder.snapshot() == before)
        _ = try await fix(folder.path)
        #expect(
            try folder.snapshot() == [
                "b.jsonl": Array(text.utf8), "c.jsonl": Array("\(lines[0].text)\n".utf8),
                "b.dlq.jsonl": Array("{\"reason\":\"x\"}\n".utf8), "d.dlq.jsonl": [],
                "d.dlq.jsonl.torn-1": Array("12".utf8),
            ])
    }

    @Test("A compressed file without its last line feed is not changed", arguments: ["gz", "zst"])
    func packedUnended(packing: String) async throws {
        let text = [lines[0].text, "{\"v\":1"]
        for (name, text) in zip(["b.jsonl", "c.jsonl"], text) {
            let packed = packing == "gz" ? try await gzip(text) : try await zstdPacked(text)
            _ = try folder.file("\(name).\(packing)", packed)
            // Recognized by its content, whatever its name.
            _ = try folder.file("x-\(name)", packed)
        }
        let before = try folder.snapshot()
        let result = try await fix(folder.path)
        #expect(result.exitCode == 1)
        #expect(try folder.snapshot() == before)
        #expect(result.lines.filter { $0.contains("decompress ") }.count == 4)
    }

    @Test(
        "A line that is being written is not changed, by whatever path the file is given", .builtProgram,
        arguments: ["", "b.jsonl", "b.dlq.jsonl", "tap.actions.jsonl", "c.jsonl"])
    func living(name: String) async throws {
        let store = try folder.openLog("a.sqlite", install: "install-a")
        folder.append(Array(lines[..<3]), to: store)
        try await store.commit()
        let files = ["b.jsonl", "b.dlq.jsonl", "tap.actions.jsonl", "c.jsonl"]
        for file in files {
            // The last of them lacks only its line feed.
            let torn = Array(lines[..<3]).text + (file == "c.jsonl" ? lines[3].text : "{\"v\"")
            _ = try folder.file(file, torn)
        }
        let before = files.map { folder.bytes($0) }
        let result = try await fix(name.isEmpty ? folder.path : folder(name))
        #expect(result.stderr.isEmpty)
        #expect(files.map { folder.bytes($0) } == before)
        #expect(try folder.names().filter { $0.contains("torn") } == [])
        try await store.close()
    }
}
