import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

@Suite("Disk space of a log")
struct SpaceTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func open(_ retention: Retention = Retention(maximumCount: 10)) throws -> SQLiteEventStore {
        try folder.open(retention: retention)
    }

    private func size() throws -> Int {
        try #require(
            try FileManager.default.attributesOfItem(atPath: folder.path)[.size] as? Int, "the file has no size")
    }

    /// Stores events that are all delivered.
    private func fill(_ store: SQLiteEventStore, _ count: Int) async throws {
        for _ in 1...count { store.append(length: 4000) }
        try await store.commit()
        let cursor = try await store.cursor(of: "a")
        try await store.acknowledge(
            ConsumerCursor(consumer: cursor.consumer, acknowledged: Int64(count), checkpoint: nil), refused: nil)
    }

    private func checkpoint(_ store: SQLiteEventStore) async throws {
        try await store.perform { worker in try worker.exclusively { db in _ = try db.checkpoint(.truncate) } }
    }

    @Test("pruning shrinks the database, except for some pages for the next events")
    func shrinks() async throws {
        let store = try open()
        try await fill(store, 2000)
        try await checkpoint(store)
        let full = try size()
        #expect(full > 8_000_000)
        try await store.prune(now: EventTime(seconds: 200))
        try await checkpoint(store)
        #expect(try size() < 1_000_000)
        #expect(try await store.seqs() == Array(1991...2000))
        #expect(try store.append().get().seq == 2001)
        try await store.close()
    }

    @Test("quarantined files are removed by age and size and counted, except for the newest")
    func quarantine() async throws {
        var options = SQLiteEventStore.Options(installID: { "install-1" })
        options.damagedFiles = FileQuota(maximumBytes: 2500, maximumAge: .seconds(1000))
        let now = EventTime(seconds: 1_000_000)
        for (number, age, bytes) in [(1, 2000, 10), (2, 500, 1000), (3, 400, 2000), (4, 300, 1000), (10, 200, 1000)] {
            let path = "\(folder.path).damaged-\(number)"
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            try Data(count: bytes).write(to: URL(fileURLWithPath: path + "/events.sqlite"))
            try FileManager.default.setAttributes(
                [.modificationDate: Date(timeIntervalSince1970: Double(1_000_000 - age))], ofItemAtPath: path)
        }
        // A folder that does not belong to the log.
        try Data(count: 5000).write(to: URL(fileURLWithPath: folder.path + ".damaged-99"))
        let store = try SQLiteEventStore(path: folder.path, options: options)
        #expect(try folder.names().filter { $0.contains("damaged") }.count == 6)
        try await store.prune(now: now)
        try await store.prune(now: now)
        #expect(
            try folder.names().filter { $0.contains("damaged") } == [
                "events.sqlite.damaged-10", "events.sqlite.damaged-4", "events.sqlite.damaged-99",
            ])
        let removed = try await store.perform { worker in
            try worker.reading { db in
                try Row.fetchOne(db, sql: "SELECT removed_count, removed_bytes FROM log").map {
                    Array($0.databaseValues)
                }
            }
        }
        #expect(removed == [3.databaseValue, 3010.databaseValue])
        // The next folder gets a number above all existing ones.
        let next = try Quarantine.put([], by: .copy, reason: "x", database: folder.path)
        #expect(next == folder.path + ".damaged-11")
        try await store.close()
    }

    @Test("a quota removes the oldest files, and keeps the newest whatever its size")
    func quota() {
        let entries = [(1, 100), (2, 50), (3, 70)].map { time, bytes in
            QuotaEntry(path: "\(time)", bytes: Int64(bytes), written: EventTime(seconds: Int64(time)))
        }
        func excess(_ bytes: Int64?, _ age: Duration?, at now: Int64 = 4) -> [String] {
            FileQuota(maximumBytes: bytes, maximumAge: age).excess(of: entries, now: EventTime(seconds: now)).map(
                \.path)
        }
        #expect(excess(nil, nil) == [])
        #expect(excess(220, nil) == [])
        #expect(excess(219, nil) == ["1"])
        #expect(excess(119, nil) == ["1", "2"])
        #expect(excess(0, nil) == ["1", "2"])
        #expect(excess(nil, .seconds(100), at: 102) == ["1"])
        #expect(excess(nil, .seconds(100), at: 1000) == ["1", "2", "3"])
        #expect(excess(nil, .zero, at: 3) == [])
        #expect(excess(119, .seconds(100), at: 102) == ["1", "2"])
        // The clock was set back.
        #expect(excess(nil, .seconds(100), at: -1000) == [])
    }
}
