import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Behavior of the file store only: restarts, other programs' files, concurrent readers.
@Suite("SQLite event store")
struct SQLiteEventStoreTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func sql(_ sql: String) throws {
        try DatabaseQueue(path: folder.path).writeWithoutTransaction { try $0.execute(sql: sql) }
    }

    private func code(_ body: () throws -> Void) -> EventLogError.Code? {
        do {
            try body()
            return nil
        } catch { return (error as? EventLogError)?.code }
    }

    @Test("a restart keeps events, install, numbers and cursors")
    func restart() async throws {
        let first = try folder.open()
        for _ in 1...3 { first.append() }
        try await first.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 2, checkpoint: "x"), refused: nil)
        try await first.close()
        let second = try SQLiteEventStore(path: folder.path, options: .init(installID: { "another" }))
        #expect(second.installID == "install-1")
        #expect(second.newest == .numbered(3))
        #expect(try second.append().get().seq == 4)
        #expect(try await second.cursor(of: "a") == ConsumerCursor(consumer: "a", acknowledged: 2, checkpoint: "x"))
        #expect(try await second.seqs() == [1, 2, 3, 4])
    }

    @Test("numbers continue above pruned events")
    func restartAfterPruning() async throws {
        let first = try folder.open(retention: Retention(maximumCount: 0))
        for _ in 1...3 { first.append() }
        try await first.prune(now: EventTime(seconds: 0))
        #expect(try await first.seqs() == [])
        try await first.close()
        #expect(try folder.open().append().get().seq == 4)
    }

    @Test("a log released without being closed loses no event, and can be opened again")
    func droppedWithoutClose() async throws {
        do {
            let store = try folder.open()
            for _ in 1...2000 { store.append() }
            try await store.commit()
        }
        let again = try folder.open()
        #expect(try await again.statistics().count == 2000)
    }

    @Test("two instances in one process draw each number once, and both see all events")
    func secondInstance() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        for turn in 0..<10 { #expect(throws: Never.self) { try (turn % 3 == 0 ? first : second).append().get() } }
        #expect(try await first.seqs() == Array(1...10))
        #expect(try await second.seqs() == Array(1...10))
        try await first.close()
        #expect(try second.append().get().seq == 11)
        try await second.close()
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["events.sqlite"])
    }

    @Test("the file is in WAL mode, its tables are strict, its version is 6")
    func form() async throws {
        let store = try folder.open()
        store.append()
        try await store.commit()
        try await DatabaseQueue(path: folder.path).read { db in
            #expect(try String.fetchOne(db, sql: "PRAGMA journal_mode") == "wal")
            #expect(try Int.fetchOne(db, sql: "PRAGMA user_version") == 6)
            let tables = try Row.fetchAll(
                db,
                sql:
                    "SELECT name, strict FROM pragma_table_list WHERE type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name"
            )
            let names = [
                "answers", "consents", "consumers", "copies", "dead_letters", "discards", "events", "generations",
                "journal_drops", "kept", "ledger", "log",
            ]
            #expect(tables.map { $0["name"] as String } == names)
            #expect(tables.allSatisfy { $0["strict"] == 1 })
            let row = try Row.fetchOne(db, sql: "SELECT id, time, line FROM event_lines")
            #expect(row?["id"] == "00000001-86a0-7000-8000-000000000001")
            #expect(row?["time"] == "1970-01-01T00:01:40.000Z")
            #expect(row?["line"] == "1.........")
        }
    }

    @Test(
        "a foreign, newer or unreleased file is rejected and not changed",
        arguments: [
            ("CREATE TABLE notes (text)", EventLogError.Code.notAnEventLog),
            ("PRAGMA application_id = 7", .notAnEventLog),
            ("PRAGMA application_id = 1953655660; PRAGMA user_version = 7; CREATE TABLE t (x)", .newerVersion),
            ("PRAGMA application_id = 1953655660; PRAGMA user_version = 3; CREATE TABLE t (x)", .notAnEventLog),
        ])
    func refused(setUp: String, expected: EventLogError.Code) throws {
        try sql(setUp)
        let before = try Data(contentsOf: URL(fileURLWithPath: folder.path))
        #expect(code { _ = try folder.open() } == expected)
        #expect(code { _ = try EventLogReader(path: folder.path) } == expected)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["events.sqlite"])
    }

    @Test("errors for invalid files and paths name the file")
    func notThere() throws {
        let text = Data(
            "plain text, longer than the header of an SQLite database, which has exactly one hundred bytes in all".utf8)
        try text.write(to: URL(fileURLWithPath: folder.path))
        #expect(code { _ = try folder.open() } == .notAnEventLog)
        #expect(try Data(contentsOf: URL(fileURLWithPath: folder.path)) == text)
        #expect(code { _ = try EventLogReader(path: folder.path + "-none") } == .notFound)
        #expect(
            code { _ = try SQLiteEventStore(path: folder.path + "-none/x", options: .init(installID: { "" })) }
                == .cannotOpen)
    }

    @Test("a concurrent reader sees each commit, and changes nothing")
    func readerBesideWriter() async throws {
        let store = try folder.open()
        store.append()
        try await store.commit()
        let reader = try EventLogReader(path: folder.path)
        #expect(try reader.read(after: 0).map(\.seq) == [1])
        store.append()
        store.recordDrop(.tooLarge)
        try await store.flushToDisk()
        #expect(try reader.read(after: 1).map(\.seq) == [2])
        #expect(try reader.statistics().count == 2)
        #expect(try reader.ledger().map(\.reason) == [.tooLarge])
        #expect(try reader.cursors() == [])
    }

    @Test("no lock is held between operations, and senders do not wait for other programs' locks")
    func locks() async throws {
        let store = try folder.open()
        store.append()
        try await store.commit()
        let descriptor = open(JournalFolder.path(of: folder.path) + "/control", O_RDWR)
        defer { close(descriptor) }
        #expect(flock(descriptor, LOCK_EX | LOCK_NB) == 0)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.path, configuration: configuration)
        try await other.writeWithoutTransaction { try $0.execute(sql: "BEGIN EXCLUSIVE") }
        #expect(try store.append().get().seq == 2)
        try await other.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        #expect(flock(descriptor, LOCK_UN) == 0)
        #expect(try await store.seqs() == [1, 2])
        try await store.close()
    }

    @Test("while the file is not writable events wait, are dropped past the limit, and are stored later")
    func blockedFile() async throws {
        let store = try SQLiteEventStore(
            path: folder.path,
            options: .init(installID: { "install-1" }, maximumPendingBytes: 2000, busyTimeout: .zero))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let blocker = try DatabaseQueue(path: folder.path, configuration: configuration)
        try await blocker.writeWithoutTransaction { try $0.execute(sql: "BEGIN IMMEDIATE") }
        var count: Int64 = 0
        while case .success = store.append(lineCapacity: 10, { seq, line in .numbered(seq, to: line) }) { count += 1 }
        #expect(10...20 ~= count)
        await #expect { try await store.commit() } throws: { ($0 as? EventLogError)?.code == .inUse }
        try await blocker.writeWithoutTransaction { try $0.execute(sql: "COMMIT") }
        try await store.commit()
        #expect(try await store.seqs() == Array(1...count))
        #expect(try store.append().get().seq == count + 1)
    }
}
