import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// An fsync that fails once and then seems to succeed, because the system has dropped the pages that it could not
/// write.
@Suite("A failed fsync")
struct FailedSyncTests {
    let folder: LogFolder
    let disk: FaultyDisk

    init() throws {
        folder = try LogFolder()
        disk = FaultyDisk(folder.url.path)
    }

    /// The state that a power failure would leave now.
    private func seqsAfterPowerCut() async throws -> [Int64] {
        let copy = try LogFolder()
        try disk.cutPower(folder.path, copyTo: copy.path)
        let store = try copy.open()
        let seqs = try await store.seqs()
        try await store.close()
        return seqs
    }

    @Test("events reported as synced after a failed fsync are on the disk", arguments: [["-wal"], ["-wal", "-wal"]])
    func flushed(failing: [String]) async throws {
        let store = try folder.open()
        for _ in 1...10 { store.append() }
        try await store.flushToDisk()
        #expect(try await seqsAfterPowerCut() == Array(1...10))
        for _ in 1...10 { store.append() }
        try await store.commit()
        for suffix in failing { disk.failNextSync(of: suffix) }
        await #expect(throws: EventLogError.self) { try await store.flushToDisk() }
        // The second failure happens during the recovery; the next operation recovers.
        for _ in 1...10 where disk.failureCount < failing.count { _ = try? await store.commit() }
        #expect(disk.failureCount == failing.count)
        try await store.flushToDisk()
        #expect(try await seqsAfterPowerCut() == Array(1...20))
        store.append()
        try await store.flushToDisk()
        #expect(try await seqsAfterPowerCut() == Array(1...21))
        try await store.close()
    }

    @Test(
        "a failed fsync in a checkpoint, whose errors SQLite hides, is detected",
        arguments: ["-wal", ".sqlite"])
    func checkpoint(suffix: String) async throws {
        let store = try folder.open()
        store.append()
        try await store.flushToDisk()
        disk.failNextSync(of: suffix)
        var count: Int64 = 1
        while disk.failureCount == 0, count < 20_000 {
            for _ in 1...500 where (try? store.append(length: 4000).get()) != nil { count += 1 }
            try await store.commit()
        }
        #expect(disk.failureCount == 1)
        try await store.flushToDisk()
        #expect(try await seqsAfterPowerCut() == Array(1...count))
        try await store.close()
    }

    @Test("if the last commit is missing, its events are moved from the rings again")
    func lostCommit() async throws {
        let store = try folder.open()
        for _ in 1...10 { store.append() }
        try await store.flushToDisk()
        for _ in 1...10 { store.append() }
        try await store.commit()
        try await store.perform { worker in
            // As if the reopened file had lost the later commits.
            try worker.exclusively { db in
                try db.execute(sql: "DELETE FROM events WHERE seq > 10")
                try db.execute(sql: "UPDATE log SET last_seq = 10, event_count = 10, event_bytes = 100")
            }
            try worker.reopenAfterFailedSync()
        }
        try await store.flushToDisk()
        #expect(try await store.all() == (1...20).map { .numbered($0) })
        #expect(try await store.ledger() == [])
        #expect(try store.append().get().seq == 21)
        try await store.close()
    }
}
