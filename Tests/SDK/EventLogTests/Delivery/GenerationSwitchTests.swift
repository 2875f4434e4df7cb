import EventModel
import Foundation
import GRDB
import LogFixtures
import Primitives
import Testing

@testable import EventLog

/// The switch to a new install: senders that have not seen it yet, other instances, crashes.
@Suite("The switch to a new install")
struct GenerationSwitchTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private static let fork = DeliveryResult.newGeneration(acknowledged: [], reason: "fork")

    private func send(_ count: Int, to store: SQLiteEventStore) {
        for _ in 1...count {
            let installID = store.installID
            _ = store.append { .container($0, of: installID, user: "ada") }
        }
    }

    private func fork(_ store: SQLiteEventStore) async throws {
        let batch = try #require(try await store.batch(for: "a"))
        let lease = try #require(try await store.lease("a"))
        _ = try await store.settle(lease, batch: batch.id, Self.fork, pause: nil)
    }

    /// The installs and numbers in all lines of `events`, in order.
    private func lines(_ store: SQLiteEventStore, newest: String) async throws -> [String] {
        try await store.all().map { record in
            let line = try RecordedContainer(line: record.line)
            let hasOrigin = String(decoding: record.line, as: UTF8.self).contains(#""origin":"#)
            return "\(record.seq): \(line.installID == newest ? "new" : line.installID) \(line.seq)"
                + (hasOrigin ? " with an origin" : "")
        }
    }

    /// A copy of the current files in another folder, as a process that is killed now would leave them.
    private func killed() throws -> LogFolder {
        let copy = try LogFolder()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.url.path) where !name.hasSuffix("-shm") {
            try FileManager.default.copyItem(
                at: folder.url.appendingPathComponent(name), to: copy.url.appendingPathComponent(name))
        }
        return copy
    }

    /// Stores only the commit of a fork, and then runs `body` while no mover can run, as if the process ended right
    /// after the commit.
    private func forkInDatabaseOnly(
        _ store: SQLiteEventStore, _ body: @escaping @Sendable () throws -> Void
    ) async throws {
        let batch = try #require(try await store.batch(for: "a"))
        let lease = try #require(try await store.lease("a"))
        try await store.perform { worker in
            try worker.exclusively { db in
                _ = try worker.inTransaction(db) { db in
                    try Delivery.settle(
                        lease, batch: batch.id, result: Self.fork, pause: nil, letters: .standard,
                        dependencies: Forks.Dependencies(
                            draw: { worker.control.counter.exchange(UInt64($0), for: UInt64($0 + $1)) },
                            installID: { "install-2" }), db)
                }
                try body()
            }
        }
    }

    @Test("another instance sees it with its next event, whichever instance moves that")
    func otherInstance() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        send(2, to: first)
        try await fork(first)
        let generation = second.consentGeneration
        // Like a sender that has read the identity before.
        _ = second.append { .container($0 + 2, of: "install-1", user: "ada") }
        #expect(second.installID == first.installID && second.consentGeneration != generation)
        send(1, to: second)
        send(1, to: first)
        try await first.commit()
        #expect(
            try await lines(second, newest: first.installID) == [
                "1: install-1 1", "2: install-1 2", "5: new 3 with an origin", "6: new 4", "7: new 5",
            ])
    }

    @Test("a line with an inconsistent install and number is corrected, without a false origin")
    func mixed() async throws {
        let store = try folder.open()
        send(2, to: store)
        try await fork(store)
        _ = store.append { .container($0, of: "install-1", user: "ada") }
        // Not of this log, so not changed.
        _ = store.append { .container($0, of: "foreign", user: "ada") }
        #expect(
            try await lines(store, newest: store.installID) == [
                "1: install-1 1", "2: install-1 2", "5: new 3", "6: foreign 4",
            ])
    }

    @Test("after a kill between the commit and the control file, the next start uses the new install")
    func killedAfterCommit() async throws {
        let store = try folder.open()
        send(2, to: store)
        let sender = try LoneWriter(folder, isAlive: true)
        let copies = Locked<LogFolder?>(nil)
        try await forkInDatabaseOnly(store) {
            #expect(store.installID == "install-1")
            // A sender that has not seen the switch, and is killed with its event in the ring.
            _ = sender.writer.append(lineCapacity: 400) { seq, line in
                let record = EventRecord.container(seq, of: "install-1", user: "ada")
                line.copyBytes(from: record.line)
                return EventStamp(id: record.id, time: record.time, name: record.name, lineLength: record.line.count)
            }
            let copy = try killed()
            copies.withLock { $0 = copy }
        }
        let copy = try #require(copies.withLock { $0 })
        let next = try copy.open()
        #expect(next.installID == "install-2")
        #expect(
            try await lines(next, newest: "install-2") == [
                "1: install-1 1", "2: install-1 2", "5: new 3 with an origin",
            ])
        #expect(try await next.perform { $0.control.install?.number } == 2)
        #expect(try copy.names().filter { $0.contains("damaged") } == [])
        let batch = try #require(try await next.batch(for: "a"))
        #expect(batch.seqs == 1...3 && batch.installID == "install-2")
    }

    @Test("the next mover of any process notifies the senders")
    func moverTells() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        send(2, to: first)
        try await forkInDatabaseOnly(first) { send(1, to: second) }
        try await second.commit()
        #expect(second.installID == "install-2")
        send(1, to: first)
        #expect(first.installID == "install-2")
        try await first.commit()
        #expect(
            try await lines(first, newest: "install-2") == [
                "1: install-1 1", "2: install-1 2", "5: new 3 with an origin", "6: new 4",
            ])
    }

    @Test("a failed fork changes nothing, returns its numbers, and succeeds later")
    func failing() async throws {
        let store = try folder.open()
        send(2, to: store)
        let batch = try #require(try await store.batch(for: "a"))
        let lease = try #require(try await store.lease("a"))
        let database = try DatabaseQueue(path: folder.path)
        try await database.write { db in
            try db.execute(
                sql: "CREATE TRIGGER fault BEFORE INSERT ON copies BEGIN SELECT RAISE(ABORT, 'no room'); END")
        }
        await #expect(throws: EventLogError.self) {
            _ = try await store.settle(lease, batch: batch.id, Self.fork, pause: nil)
        }
        #expect(store.installID == "install-1")
        send(1, to: store)
        #expect(try await store.seqs() == [1, 2, 3])
        try await database.write { db in try db.execute(sql: "DROP TRIGGER fault") }
        let again = try #require(try await store.batch(for: "a"))
        #expect(again.id == batch.id && again.attempt == 2)
        try await fork(store)
        #expect(try await store.batch(for: "a")?.seqs == 1...3)
        #expect(try await store.ledger().map(\.reason) == [.forked, .forked])
    }

    @Test("events in the journals are moved first, keep the former install, and are copied")
    func waiting() async throws {
        let store = try folder.open()
        send(1, to: store)
        let batch = try #require(try await store.batch(for: "a"))
        let lease = try #require(try await store.lease("a"))
        let other = try LoneWriter(folder)
        for _ in 1...3 { other.append() }
        _ = try await store.settle(lease, batch: batch.id, Self.fork, pause: nil)
        let next = try #require(try await store.batch(for: "a"))
        #expect(next.base == 4 && next.seqs == 1...4)
    }

    @Test("a salvaged database keeps its installs and copies")
    func salvaged() async throws {
        let store = try folder.open()
        send(3, to: store)
        try await fork(store)
        send(1, to: store)
        let batch = try #require(try await store.batch(for: "a"))
        let installs = try EventLogReader(path: folder.path).generations()
        // The database is deleted while it is open; the new one is made from the open connection.
        unlink(folder.path)
        try await store.perform { $0.tidy() }
        #expect(try EventLogReader(path: folder.path).generations() == installs && installs.count == 2)
        let again = try #require(try await store.batch(for: "a"))
        #expect(again.id == batch.id && again.records == batch.records && again.secret == batch.secret)
        #expect(try await store.ledger().map(\.reason) == [.forked, .forked])
    }

    @Test("an empty database continues as the install in the control file")
    func lost() async throws {
        let store = try folder.open()
        send(3, to: store)
        try await fork(store)
        let newest = try EventLogReader(path: folder.path).generations()[1]
        let copy = try killed()
        try Data(repeating: 0xA5, count: 40_960).write(to: URL(fileURLWithPath: copy.path))
        unlink(copy.path + "-wal")
        let next = try copy.open()
        let install = try await next.perform { worker in try worker.reading(Generations.newest) }
        #expect(install == newest && next.installID == newest.installID)
    }
}
