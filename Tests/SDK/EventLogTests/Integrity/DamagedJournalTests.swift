import EventModel
import Foundation
import LogFixtures
import Testing

@testable import EventLog

/// Journals that were damaged, truncated or written by a newer version, while the log was closed or open.
@Suite("A damaged journal")
struct DamagedJournalTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private var ring: String { folder.journal + "/writer-1-a" }
    private var control: String { folder.journal + "/control" }

    /// Leaves a journal with `count` events.
    private func leave(_ count: Int) throws {
        let dead = try LoneWriter(folder, capacity: 64 << 10)
        for _ in 0..<count { dead.append() }
    }

    private func seqs(in folder: LogFolder) async throws -> [Int64] {
        let store = try folder.open()
        let events = try await store.all()
        #expect(events == events.map { .numbered($0.seq) })
        return events.map(\.seq)
    }

    @Test("all records of a ring with a damaged header are read, and a copy is quarantined")
    func ringHeader() async throws {
        try leave(100)
        try folder.change(ring) { bytes in bytes.replaceSubrange(0..<2000, with: Array(repeating: 0xEE, count: 2000)) }
        #expect(try await seqs(in: folder) == Array(1...100))
        #expect(try folder.reasons() == ["writer-1-a: damaged header\n"])
    }

    @Test(
        "every record before the cut of a truncated ring is read",
        arguments: [0, 1, 4095, 4096, 4151, 4200, 9000, 65536])
    func ringCut(size: Int) async throws {
        try leave(100)
        #expect(truncate(ring, off_t(size)) == 0)
        let store = try folder.open()
        let seqs = try await store.seqs()
        #expect(seqs == Array(Array(Int64(1)...100).prefix(max(0, (size - 4096) / 80))))
        #expect(try await store.ledger().reduce(0) { $0 + $1.count } == 100 - Int64(seqs.count))
        #expect(try store.append().get().seq == 101)
        // An empty ring is not evidence.
        #expect(try folder.reasons().count == (size > 0 ? 1 : 0))
    }

    @Test("living writers read the rest of a dead writer's truncated ring")
    func ringCutBesideLiving() async throws {
        let store = try folder.open()
        try leave(100)
        #expect(truncate(ring, 4096 + 8000) == 0)
        #expect(try store.append().get().seq == 101)
        #expect(try await store.seqs() == Array(1...100) + [101])
        #expect(try folder.reasons().first == "writer-1-a: 12096 bytes long instead of 69632\n")
    }

    @Test("a ring truncated to a few bytes is quarantined, and its numbers are counted as damaged")
    func ringGoneBesideLiving() async throws {
        let store = try folder.open()
        try leave(100)
        #expect(truncate(ring, 10) == 0)
        #expect(try store.append().get().seq == 101)
        #expect(try await store.seqs() == [101])
        #expect(
            try await store.ledger() == [LedgerEntry(reason: .damaged, consumer: nil, count: 100, seqs: 1...100)])
        #expect(try folder.reasons() == ["writer-1-a: truncated to 10 bytes\n"])
        #expect(FileManager.default.fileExists(atPath: folder.path + ".damaged-1/writer-1-a"))
    }

    @Test("flipped bits in a ring cost only the records that contain them")
    func bitFlips() async throws {
        var generator = SteadyGenerator(state: 5)
        for _ in 0..<20 {
            let folder = try LogFolder()
            do {
                let dead = try LoneWriter(folder, capacity: 64 << 10)
                for _ in 1...100 { dead.append() }
            }
            let bit = Int.random(in: 0..<100 * 80 * 8, using: &generator)
            try folder.change(folder.journal + "/writer-1-a") { bytes in bytes[4096 + bit / 8] ^= 1 << (bit % 8) }
            let lost = Int64(bit / 8 / 80 + 1)
            let store = try folder.open()
            #expect(try await store.seqs() == Array(1...100).filter { $0 != lost })
            #expect(
                try await store.ledger() == [LedgerEntry(reason: .damaged, consumer: nil, count: 1, seqs: lost...lost)])
        }
    }

    @Test(
        "with a damaged, truncated or deleted control file, numbers continue above those of rings and database",
        arguments: ["garbage", "cut", "empty", "gone", "counter"])
    func controlFile(damage: String) async throws {
        try leave(100)
        switch damage {
        case "garbage":
            try folder.change(control) { bytes in bytes = bytes.map { $0 ^ 0xA5 } }
        case "cut": #expect(truncate(control, 100) == 0)
        case "empty": #expect(truncate(control, 0) == 0)
        case "gone": unlink(control)
        default:
            try folder.change(control) { bytes in
                bytes.replaceSubrange(2048..<2056, with: Array(repeating: 0xFF, count: 8))
            }
        }
        let store = try folder.open()
        #expect(try await store.seqs() == Array(1...100))
        #expect(try await store.ledger() == [])
        #expect(try store.append().get().seq == 101)
        #expect(try folder.reasons().count == (damage == "garbage" || damage == "cut" ? 1 : 0))
    }

    @Test("files of a newer version are rejected and not changed", arguments: ["control", "writer-1-a"])
    func newerVersion(name: String) async throws {
        try leave(3)
        let file = folder.journal + "/" + name
        let capacity = name == "control" ? 2048 : 504
        try folder.change(file) { bytes in
            bytes.withUnsafeMutableBytes { bytes in
                guard let base = bytes.baseAddress else { return }
                HeaderIdentity.write(
                    mark: base.load(as: UInt64.self), version: 5, fileSize: bytes.count, text: "1@ended", to: base,
                    capacity: capacity)
            }
        }
        let before = try Data(contentsOf: URL(fileURLWithPath: file))
        #expect {
            _ = try folder.open()
        } throws: { error in (error as? EventLogError)?.code == .newerVersion }
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == before)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.journal).sorted() == ["control", "writer-1-a"])
    }

    @Test("journals of another log are quarantined unchanged")
    func foreign() async throws {
        let other = try SQLiteEventStore(path: folder.path, options: .init(installID: { "install-2" }))
        other.append()
        try await other.close()
        try leave(5)
        let store = try folder.open()
        #expect(store.installID == "install-2")
        #expect(try await store.seqs() == [1])
        #expect(
            try folder.reasons()
                == ["writer-1-a: belongs to log install-1, but the database belongs to log install-2\n"])
        #expect(FileManager.default.fileExists(atPath: folder.path + ".damaged-1/writer-1-a"))
    }

    private func openWatchful() throws -> SQLiteEventStore {
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.checkInterval = .zero
        return try SQLiteEventStore(path: folder.path, options: options)
    }

    private func ownRing() throws -> String {
        try folder.journal + "/" + #require(JournalFolder.ringNames(folder.journal).first)
    }

    @Test(
        "deleting the journal's files of an open log costs no event", arguments: ["ring", "control", "folder"])
    func removedWhileOpen(what: String) async throws {
        let store = try openWatchful()
        for _ in 1...3 { store.append() }
        switch what {
        case "ring": unlink(try ownRing())
        case "control": unlink(control)
        default:
            // Removed in one step: the log recreates its files, even while a folder is being emptied.
            try #require(rename(folder.journal, folder.journal + "-gone") == 0)
            try FileManager.default.removeItem(atPath: folder.journal + "-gone")
        }
        for _ in 4...6 { store.append() }
        // An operation that checks the files. The mover may have moved all six events before the files were deleted.
        _ = try await store.cursor(of: "a")
        for _ in 7...9 { store.append() }
        let second = try folder.open()
        #expect(try second.append().get().seq == 10)
        #expect(try await store.seqs() == Array(1...10))
        #expect(try await second.ledger() == [])
        #expect(try await store.beginDelivery(to: "a", lasting: .seconds(90), at: EventTime(seconds: 1)) != nil)
        #expect(try await second.beginDelivery(to: "a", lasting: .seconds(90), at: EventTime(seconds: 1)) == nil)
        try await store.close()
        try await second.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("numbers continue after the control file of an open log is truncated")
    func controlCutWhileOpen() async throws {
        let store = try openWatchful()
        for _ in 1...3 { store.append() }
        try await store.commit()
        // Longer than a page on any system: the truncated part is not accessed before the log has checked the file.
        let handle = try FileHandle(forUpdating: URL(fileURLWithPath: control))
        try handle.truncate(atOffset: 1000)
        try handle.close()
        try await store.prune(now: EventTime(seconds: 0))
        #expect(try store.append().get().seq == 4)
        #expect(try await store.seqs() == [1, 2, 3, 4])
    }
}
