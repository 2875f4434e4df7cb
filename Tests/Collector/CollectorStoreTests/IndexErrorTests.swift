import CollectorFixtures
import DeliveryProtocol
import Foundation
import GRDB
import GRDBSQLite
import Testing

@testable import CollectorStore

@Suite("Errors of the index while the collector runs")
struct IndexErrorTests {
    private let folder: DataFolder
    private let phone = Phone("install-a")

    init() throws { folder = try DataFolder() }

    @Test(
        "Synced frames are acknowledged even if the index can't be committed, and are known afterwards"
    )
    func behind() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...3))
            try await store.onWriter { core in
                core.index.pool.writeWithoutTransaction { db in
                    _ = sqlite3_commit_hook(db.sqliteConnection, { _ in 1 }, nil)
                }
            }
            let receipt = try #require(try await store.submit(phone.batch(2, 4...6)).receipt)
            #expect(receipt.stored == [4...6])
            #expect(try store.install("install-a")?.highest == 3)
            // Still not: nothing can be judged.
            #expect(await store.failure(of: phone.batch(3, 7...9)) == .indexFailed)
            try await store.onWriter { core in
                core.index.pool.writeWithoutTransaction { db in
                    _ = sqlite3_commit_hook(db.sqliteConnection, nil, nil)
                }
            }
            #expect(try await store.submit(phone.batch(2, 4...6)) == .accepted(receipt, isRepeat: true))
            #expect(try await store.submit(phone.batch(3, 5...9)).receipt?.duplicates == [5...6])
        }
        #expect(try folder.storedLines().count == 9)
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    @Test("A group that the index can't process is rejected and not written")
    func full() async throws {
        try await folder.with { store in
            _ = try await store.submit(phone.batch(1, 1...3))
            try await store.onWriter { core in
                try core.index.pool.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA max_page_count = 1")
                }
            }
            var failure: StoreError.Code?
            var stored: Int64 = 3
            while failure == nil, stored < 50_000 {
                failure = await store.failure(of: phone.batch(Int(stored), stored + 1...stored + 500))
                if failure == nil { stored += 500 }
            }
            #expect(failure == .diskFull)
            let written = try folder.storedLines().count
            #expect(written == Int(stored))
            try await store.onWriter { core in
                try core.index.pool.writeWithoutTransaction { db in
                    try db.execute(sql: "PRAGMA max_page_count = 1000000")
                }
            }
            let receipt = try await store.submit(phone.batch(Int(stored), stored + 1...stored + 500)).receipt
            #expect(receipt?.stored == [stored + 1...stored + 500])
            #expect(receipt?.missing == [])
        }
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }

    /// Overwrites all pages but the first, after SQLite has forgotten them.
    private func damageIndex(of store: BatchStore) async throws {
        let folder = folder
        try await store.onWriter { core in
            try core.index.pool.writeWithoutTransaction { db in
                _ = try db.checkpoint(.truncate)
                try db.execute(sql: "PRAGMA cache_size = 1; PRAGMA shrink_memory")
            }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: folder.file("index.sqlite")))
            let pages = try handle.seekToEnd() / 4096
            for page in 1..<pages {
                try handle.seek(toOffset: page * 4096)
                try handle.write(contentsOf: Data(repeating: 0x77, count: 4096))
            }
            try handle.close()
        }
    }

    @Test("An index rebuilt after a failed sync has nothing of the failed group")
    func damagedAfterFailure() async throws {
        let (folder, files) = (folder, FaultyFiles())
        try await folder.with({ $0.files = files }) { store in
            for batch in 0..<40 { _ = try await store.submit(PlannedBatches.submission(phone, batch)) }
            files.set(.sync) { _ in .afterwards(EIO) }
            #expect(await store.failure(of: PlannedBatches.submission(phone, 40)) == .writeFailed)
            try await damageIndex(of: store)
            // No segment can be created, so no header excludes the failed group yet.
            #expect(await store.failure(of: PlannedBatches.submission(phone, 40)) == .writeFailed)
            files.set(.sync, nil)
            let outcome = try await store.submit(PlannedBatches.submission(phone, 40))
            guard case .accepted(let receipt, isRepeat: false) = outcome else {
                Issue.record("\(outcome)")
                return
            }
            #expect(receipt.name.number == 41)
            #expect(receipt.duplicates == [])
        }
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
        let stored = try folder.storedLines()
        #expect(Set(stored).count == stored.count)
    }

    @Test("A damaged index is quarantined and rebuilt, and the submission is answered")
    func damaged() async throws {
        let folder = folder
        try await folder.with { store in
            for batch in 0..<40 { _ = try await store.submit(PlannedBatches.submission(phone, batch)) }
            try await damageIndex(of: store)
            let outcome = try await store.submit(PlannedBatches.submission(phone, 3))
            #expect(outcome.receipt?.name.number == 4)
            let next = try await store.submit(PlannedBatches.submission(phone, 40))
            #expect(next.receipt?.missing == [])
            // Readers have the new one.
            #expect(try store.install("install-a")?.highest == PlannedBatches.seqs(40).upperBound)
        }
        #expect(try !folder.bytes("damaged-1/reason.txt").isEmpty)
        let kept = try folder.indexContent()
        #expect(try await folder.rebuiltIndexContent() == kept)
    }
}
