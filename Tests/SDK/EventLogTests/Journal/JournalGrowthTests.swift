import CommandRunner
import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// A journal grows while events come faster than they are moved, and shrinks afterwards.
@Suite("Journal growth")
struct JournalGrowthTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func open(limit: Int = 64 << 20, path: String? = nil) throws -> SQLiteEventStore {
        var options = SQLiteEventStore.Options(
            installID: { "install-1" }, retention: .keepAll, maximumPendingBytes: limit, busyTimeout: .zero)
        options.checkInterval = .milliseconds(10)
        return try SQLiteEventStore(path: path ?? folder.path, options: options)
    }

    /// Blocks all other writes until it is released.
    private func block(_ path: String? = nil) throws -> DatabaseQueue {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let blocker = try DatabaseQueue(path: path ?? folder.path, configuration: configuration)
        try blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        return blocker
    }

    private func release(_ blocker: DatabaseQueue) throws {
        try blocker.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try blocker.close()
    }

    /// Appends until an append fails, and returns the number of events.
    private func fill(_ store: SQLiteEventStore, _ priority: EventPriority, length: Int = 400) -> Int64 {
        var count: Int64 = 0
        while case .success = store.append(
            lineCapacity: length, priority: priority, { .numbered($0, to: $1, length: length) })
        { count += 1 }
        return count
    }

    private func rings() throws -> [String] { try JournalFolder.ringNames(folder.journal) }

    @Test("no event of a long burst is dropped")
    func burst() async throws {
        let store = try open()
        let count: Int64 = 100_000
        var dropped = 0
        for _ in 1...count {
            let result = store.append(lineCapacity: 400) { .numbered($0, to: $1, length: 400) }
            if case .failure = result { dropped += 1 }
        }
        #expect(dropped == 0)
        try await store.commit()
        #expect(try await store.statistics().count == count)
        #expect(try await store.ledger() == [])
    }

    @Test("events accepted while the database is blocked stay within the limit, and are stored later in order")
    func limit() async throws {
        let store = try open(limit: 16 << 20)
        try await store.commit()
        let blocker = try block()
        let common = fill(store, .normal)
        let size = try rings().reduce(0) { sum, name in
            try sum + (FileManager.default.attributesOfItem(atPath: folder.journal + "/" + name)[.size] as? Int ?? 0)
        }
        #expect(11 << 20...13 << 20 ~= size)
        // A quarter is reserved for critical events.
        let critical = fill(store, .critical)
        #expect((3 << 20) / 480...(5 << 20) / 480 ~= critical)
        #expect(fill(store, .normal) == 0)
        for second: Int64 in [5, 9, 7] { store.recordDrop(.backlogFull, at: EventTime(seconds: second)) }
        try release(blocker)
        try await store.commit()
        #expect(try await store.seqs() == Array(1...common + critical))
        let times = EventTime(seconds: 5)...EventTime(seconds: 7)
        #expect(
            try await store.ledger() == [
                LedgerEntry(reason: .backlogFull, consumer: nil, count: 3, seqs: nil, times: times)
            ])
        #expect(fill(store, .normal) > 0)
    }

    @Test("all writers of a log share the limit")
    func commonLimit() async throws {
        let stores = try (1...2).map { _ in try open(limit: 32 << 20) }
        try await commit(stores[0])
        let blocker = try block()
        let counts = stores.map { fill($0, .normal) }
        // The first writer uses all the space; the second has only its first ring.
        #expect(counts[0] > 4 * counts[1] && counts[1] > 1000)
        try release(blocker)
        for store in stores { try await commit(store) }
        #expect(try await stores[1].statistics().count == counts[0] + counts[1])
    }

    /// Commits, although the other store's mover may be writing, because these stores don't wait for each other.
    private func commit(_ store: SQLiteEventStore) async throws {
        while true {
            do { return try await store.commit() } catch let error as EventLogError where error.code == .inUse {
                await Task.yield()
            }
        }
    }

    @Test("ten seconds after a burst at most two rings are left, also after a restart")
    func shrinks() async throws {
        let store = try open()
        try await store.commit()
        let blocker = try block()
        for _ in 1...40_000 { _ = try store.append(lineCapacity: 400) { .numbered($0, to: $1, length: 400) }.get() }
        #expect(try rings().count > 4)
        try release(blocker)
        try await store.commit()
        let end = ContinuousClock.now + .seconds(10)
        while try rings().count > 2, ContinuousClock.now < end { try await Task.sleep(for: .milliseconds(50)) }
        #expect(try rings().count <= 2)
        #expect(try store.append().get().seq == 40_001)
        try await store.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("any process that moves events discards those of the marked user, and no others")
    func discardedInJournal() async throws {
        let store = try open()
        try await store.commit()
        // Like a process that is killed before it can move events.
        let dead = try LoneWriter(folder)
        func append(_ user: String) {
            _ = dead.writer.append(lineCapacity: 100) { seq, line in
                let text = Array(#"{"seq":\#(seq),"user_id":"\#(user)"}"#.utf8)
                line.copyBytes(from: text)
                let record = EventRecord.numbered(seq)
                return EventStamp(id: record.id, time: record.time, name: "n", lineLength: text.count)
            }
        }
        for user in ["a", "b", "a"] { append(user) }
        let database = try DatabaseQueue(path: folder.path)
        try await database.write { db in
            try Discards.mark(
                Discards.Removal(of: ConsentSubject("a", for: .analytics), because: .optedOut, through: 3), db)
        }
        append("a")
        #expect(try await store.seqs() == [2, 4])
        #expect(try EventLogReader(path: folder.path).ledgerRanges().map(\.seqs) == [1...1, 3...3])
        #expect(try await database.read { db in try Int.fetchOne(db, sql: "SELECT count(*) FROM discards") } == 0)
        try database.close()
    }

    @Test("a killed writer's rings are merged in order and removed")
    func killed() async throws {
        let program = try RunningProgram(command: "log-writer", ["burst", folder.path, "30000"])
        #expect(await program.nextLine() == "30000")
        program.send(SIGKILL)
        _ = await program.end()
        #expect(try rings().count > 3)
        let store = try open()
        #expect(try await store.seqs() == Array(1...30_000))
        #expect(try await store.ledger() == [])
        #expect(try rings().count == 1)
        try await store.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test(
        "leaves free space on a small disk",
        .enabled(if: SmallDisk.isAvailable, "\(SmallDisk.requirement)"))
    func smallDisk() async throws {
        let disk = try await SmallDisk(kilobytes: 40 << 10)
        let path = disk.path + "/events.sqlite"
        let store = try open(path: path)
        try await store.commit()
        let blocker = try block(path)
        let count = fill(store, .normal)
        #expect(count > (12 << 20) / 480)
        #expect(DiskReserve.freeBytes(at: path) >= 16 << 20)
        try release(blocker)
        try await store.commit()
        #expect(try await store.statistics().count == count)
    }
}
