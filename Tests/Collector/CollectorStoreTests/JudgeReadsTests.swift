import CollectorFixtures
import DeliveryProtocol
import GRDB
import GRDBSQLite
import Testing

@testable import CollectorStore

@Suite("What a decision reads")
struct JudgeReadsTests {
    /// What the writer's connection has read.
    fileprivate final class Reads: @unchecked Sendable {  // only the writer thread uses it
        var rows = 0
        var blobBytes = 0
    }

    @Test("Two lines that span 20 batches of 2,500 odd numbers read two runs, and the hashes of two batches")
    func span() async throws {
        let (folder, phone, reads) = (try DataFolder(), Phone("install-a"), Reads())
        try await folder.with { store in
            for batch: Int64 in 0..<20 {
                let seqs = stride(from: 5000 * batch + 1, to: 5000 * batch + 5000, by: 2)
                _ = try await store.submit(phone.imported(Array(seqs)))
            }
            try await store.onWriter { core in
                core.index.pool.writeWithoutTransaction { reads.count($0.sqliteConnection) }
            }
            let receipt = try await store.submit(phone.imported([1, 99_999])).receipt
            #expect(receipt?.duplicates == [1...1, 99_999...99_999])
            #expect(
                try await store.submit(phone.imported([3, 99_997], variant: "x"))
                    == .fork(acknowledged: [], forked: [3...3, 99_997...99_997]))
            try await store.onWriter { core in
                core.index.pool.writeWithoutTransaction { _ = sqlite3_trace_v2($0.sqliteConnection, 0, nil, nil) }
            }
        }
        // 50,000 rows with 2 GB of hashes, before. The receipt lists missing numbers, which are read, too.
        #expect(reads.rows < 2000)
        #expect(reads.blobBytes <= 5 * 2500 * 16)
    }

    @Test("Interleaved batches: each batch's hashes are read once, and each line gets its verdict")
    func interleaved() async throws {
        let (folder, phone, reads) = (try DataFolder(), Phone("install-a"), Reads())
        try await folder.with { store in
            let seqs = Array(1...3000 as ClosedRange<Int64>)
            for part: Int64 in 0..<3 { _ = try await store.submit(phone.imported(seqs.filter { $0 % 4 == part })) }
            try await store.onWriter { core in
                core.index.pool.writeWithoutTransaction { reads.count($0.sqliteConnection) }
            }
            let receipt = try await store.submit(phone.batch(1, 1...3000)).receipt
            #expect(receipt?.duplicates.reduce(0) { $0 + $1.count } == 2250)
            #expect(receipt?.stored == [1...3000])
            try await store.onWriter { core in
                core.index.pool.writeWithoutTransaction { _ = sqlite3_trace_v2($0.sqliteConnection, 0, nil, nil) }
            }
        }
        #expect(reads.blobBytes <= 2250 * 16 + 100)
        #expect(try folder.indexContent() == (try await folder.rebuiltIndexContent()))
    }
}

extension JudgeReadsTests.Reads {
    /// Counts what a connection reads from now on.
    fileprivate func count(_ connection: OpaquePointer?) {
        _ = sqlite3_trace_v2(
            connection, UInt32(SQLITE_TRACE_ROW),
            { _, context, statement, _ in
                guard let context, let statement else { return 0 }
                let reads = Unmanaged<JudgeReadsTests.Reads>.fromOpaque(context).takeUnretainedValue()
                let row = OpaquePointer(statement)
                reads.rows += 1
                for column in 0..<sqlite3_column_count(row) where sqlite3_column_type(row, column) == SQLITE_BLOB {
                    reads.blobBytes += Int(sqlite3_column_bytes(row, column))
                }
                return 0
            }, Unmanaged.passUnretained(self).toOpaque())
    }
}
