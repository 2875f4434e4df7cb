import CommandRunner
import EventLog
import EventModel
import Foundation
import Testing

/// Erasures in quarantined files, beyond the bytes of the id.
@Suite("trackctl prune --user and quarantined files")
struct TrackctlQuarantineErasureTests {
    private let folder: TrackctlFolder
    private static let user = "F3476B52-160D-4CB9-9022-DE3B34E732EC"
    private static let aside = "a.sqlite.damaged-1/a.sqlite"

    init() throws {
        folder = try TrackctlFolder()
        try folder.close()
        try FileManager.default.createDirectory(
            atPath: folder("a.sqlite.damaged-1"), withIntermediateDirectories: false)
    }

    private func erase(_ arguments: String...) async throws -> CommandResult {
        try await trackctl(["prune", folder.path, "--user", Self.user] + arguments)
    }

    /// Quarantines a complete log with these texts as its events' lines.
    private func putAside(_ texts: [String]) async throws {
        let store = try folder.openLog(Self.aside, install: "install-a")
        for text in texts {
            _ = store.append { seq in
                EventRecord(
                    seq: seq, id: TrackctlLine(seq).id, time: EventTime(seconds: 1), name: "a", line: Array(text.utf8))
            }
        }
        try await store.close()
    }

    /// The id with an escape in it, as JSON allows.
    private static let escaped = user.replacing("F3", with: "\\u00463")

    private func seqs() throws -> [String] { try folder.query(Self.aside, "SELECT seq FROM events ORDER BY seq") }

    /// A line of two pages, with the id after a number of bytes.
    private func long(_ length: Int) -> String {
        let (head, tail) = (String(repeating: "x", count: length), String(repeating: "y", count: 3700))
        return #"{"x":"\#(head)","user_id":"\#(Self.user)","y":"\#(tail)"}"#
    }

    @Test("A line whose id is split between two pages is found")
    func split() async throws {
        var tried = 0
        // Of a line that is longer than a page, about the first 489 bytes of its row are on the leaf.
        for length in stride(from: 380, to: 480, by: 9) {
            try await putAside([long(length), #"{"user_id":"other"}"#])
            if try await folder.filesHolding(Self.user) == [] {
                tried += 1
                #expect(try await erase("--dry-run").lines.contains("\(folder(Self.aside)): would remove 1 line"))
                let result = try await erase()
                #expect(result.exitCode == 0 && result.lines.contains { $0.hasPrefix("removed 1 line, ") })
                #expect(try seqs() == ["2"])
            }
            try FileManager.default.removeItem(atPath: folder(Self.aside))
        }
        #expect(tried > 0)
    }

    @Test("An id written with escapes is removed, from a database and a ring")
    func escapes() async throws {
        let other = try TrackctlFolder()
        try await putAside([#"{"user_id":"\#(Self.escaped)"}"#, #"{"user_id":"other"}"#])
        var line = TrackctlLine(4)
        line.user = Self.escaped
        try await other.killedLog("a.sqlite", stored: .launches(1...3), waiting: [line] + .launches(5...6))
        let ring = "a.sqlite.damaged-1/writer-1-a"
        try FileManager.default.copyItem(
            atPath: other(try #require(try other.rings("a.sqlite").first)), toPath: folder(ring))
        let plan = try await erase("--dry-run")
        #expect(plan.lines.contains("would remove 2 lines"))
        let result = try await erase()
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(result.lines.contains("\(folder(ring)): overwritten, except records of other users"))
        #expect(try seqs() == ["2"])
        #expect(Data(folder.bytes(ring) ?? []).range(of: Data(Self.escaped.utf8)) == nil)
        #expect(Data(folder.bytes(ring) ?? []).range(of: Data(TrackctlLine(5).text.utf8)) != nil)
    }

    @Test("Unreadable bytes are removed, as they may contain anything; the next run finds nothing to do")
    func unreadable() async throws {
        try await putAside((1...200).map { #"{"user_id":"other","n":\#($0)}"# })
        try folder.change(Self.aside) { bytes in
            bytes.replaceSubrange(6 * 4096..<6 * 4096 + 60, with: Array(repeating: 0x5A, count: 60))
        }
        let before = try folder.snapshot()
        let note = "cannot be read to the end: readable events of others stay, the rest is removed"
        #expect(try await erase("--dry-run").lines.contains("\(folder(Self.aside)): \(note)"))
        #expect(try folder.snapshot() == before)
        #expect(try await erase().lines.contains("\(folder(Self.aside)): rebuilt from its readable events"))
        #expect(try !seqs().isEmpty)
        let again = try await erase()
        #expect(again.exitCode == 0)
        #expect(again.lines == ["removed 0 lines, freed 0 bytes", "no trace of the user is left"])
    }

    @Test("A complete database without the user is not changed, byte for byte; nor is another program's")
    func untouched() async throws {
        try await putAside((1...200).map { #"{"user_id":"other","n":\#($0)}"# })
        try folder.execute("a.sqlite.damaged-1/other.db", "CREATE TABLE t (a); INSERT INTO t VALUES (1)")
        let before = try folder.snapshot()
        let result = try await erase()
        #expect(result.exitCode == 0, "\(result.text)")
        #expect(try folder.snapshot() == before)
    }

    @Test(
        "Events of others that mention the user are reported, and are removed with --mentions",
        arguments: [true, false])
    func mentions(removes: Bool) async throws {
        try await putAside([#"{"user_id":"x","to":"user \#(Self.escaped)"}"#, #"{"user_id":"other"}"#])
        let result = removes ? try await erase("--mentions") : try await erase()
        #expect(result.exitCode == (removes ? 0 : 1))
        #expect(result.lines.contains("\(folder(Self.aside)): events of other users with the id: 1") != removes)
        #expect(try seqs() == (removes ? ["2"] : ["1", "2"]))
    }
}
