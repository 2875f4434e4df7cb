import Dispatch
import EventModel
import Foundation
import GRDB
import LogFixtures
import Primitives
import Testing

@testable import EventLog

/// Several instances of one log: one counter, one order, and each mover moves for all.
@Suite("Several writers")
struct TwoWritersTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    @Test("with many threads and three instances, numbers rise in each thread, without duplicates or gaps")
    func threads() async throws {
        let stores = try (1...3).map { _ in try folder.open() }
        let drawn = Locked<[[Int64]]>([])
        DispatchQueue.concurrentPerform(iterations: 9) { index in
            let seqs = (0..<400).compactMap { _ in try? stores[index % 3].append().get().seq }
            drawn.withLock { $0.append(seqs) }
        }
        let all = drawn.withLock { $0 }
        #expect(all.allSatisfy { $0 == $0.sorted() })
        #expect(all.joined().sorted() == Array(1...3600))
        for store in stores {
            #expect(try await store.seqs() == Array(1...3600))
            #expect(try await store.ledger() == [])
        }
        for store in stores { try await store.close() }
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("opening a new log waits for another process that is just setting up the database")
    func newDatabase() async throws {
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.path, configuration: configuration)
        // SQLite calls no busy handler if this prevents the switch to a write-ahead log.
        try await other.writeWithoutTransaction { db in
            try db.execute(sql: "CREATE TABLE a (b); DROP TABLE a; BEGIN IMMEDIATE")
        }
        let isOver = Locked(false)
        let end = DispatchWorkItem {
            isOver.withLock { $0 = true }
            try? other.writeWithoutTransaction { db in try db.execute(sql: "COMMIT") }  // the opening fails then
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(100), execute: end)
        let store = try folder.open()
        #expect(isOver.withLock { $0 })
        try other.close()
        store.append()
        #expect(try await store.seqs() == [1])
    }

    @Test("a consumer that reads while others send never skips a number")
    func consumerNeverSkips() async throws {
        let stores = try (1...2).map { _ in try folder.open() }
        let isDone = Locked(0)
        for store in stores {
            DispatchQueue.global().async {
                for _ in 0..<2000 { store.append() }
                isDone.withLock { $0 += 1 }
            }
        }
        var seen: [Int64] = []
        while seen.count < 4000 {
            let wasDone = isDone.withLock { $0 } == 2
            let batch = try await stores[seen.count % 2].read(
                after: seen.last ?? 0, maximumCount: 100, maximumBytes: .max)
            seen += batch.map(\.seq)
            if wasDone && batch.isEmpty { break }
        }
        #expect(seen == Array(1...4000))
    }

    @Test("a stopped sender's number is reclaimed; later events are moved, and the sender detects it")
    func stoppedSender() async throws {
        let slow = try LoneWriter(folder, isAlive: true)
        let store = try folder.open()
        slow.append()
        // The state of another process between drawing number 2 and publishing its record.
        slow.ring.drawing.publish(2)
        #expect(try store.append().get().seq == 2)
        // Number 2 is from the store, because the other process lost the exchange.
        #expect(try await store.seqs() == [1, 2])
        #expect(slow.drawAndStop() == 3)
        #expect(try store.append().get().seq == 4)
        // A reader reclaims no number: it stops before it.
        let reader = try EventLogReader(path: folder.path)
        #expect(try reader.read(after: 0).map(\.seq) == [1, 2])
        #expect(try await store.seqs() == [1, 2, 4])
        let lost = [LedgerEntry(reason: .interrupted, consumer: nil, count: 1, seqs: 3...3)]
        #expect(try await store.ledger() == lost)
        #expect(!slow.ring.drawing.exchange(3, for: 0))
        slow.ring.drawing.publish(0)
        #expect(slow.append() == 5)
        #expect(try await store.seqs() == [1, 2, 4, 5])
        #expect(try await store.ledger() == lost)
    }

    @Test("a stopped sender's complete record is moved, even if its head is not published")
    func completeBehindHead() async throws {
        let slow = try LoneWriter(folder, isAlive: true)
        let store = try folder.open()
        for _ in 1...3 { slow.append() }
        let head = slow.ring.head.load()
        #expect(slow.append() == 4)
        // The state between the record's last word and the head.
        slow.ring.head.publish(head)
        slow.ring.drawing.publish(4)
        #expect(try store.append().get().seq == 5)
        #expect(try await store.seqs() == [1, 2, 3, 4, 5])
        // The sender continues, because its number was not reclaimed.
        #expect(slow.ring.drawing.exchange(4, for: 0))
        #expect(slow.append() == 6)
        #expect(try await store.seqs() == [1, 2, 3, 4, 5, 6])
        #expect(try await store.ledger() == [])
    }

    @Test("a dead sender's number blocks no other, and living writers move its ring's events")
    func deadSender() async throws {
        let store = try folder.open()
        store.append()
        let dead = try LoneWriter(folder)
        #expect(dead.append() == 2)
        #expect(dead.drawAndStop() == 3)
        #expect(try store.append().get().seq == 4)
        #expect(try await store.seqs() == [1, 2, 4])
        #expect(
            try await store.ledger() == [LedgerEntry(reason: .interrupted, consumer: nil, count: 1, seqs: 3...3)])
        try await store.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("a record published while its writer ends does not count as missing")
    func publishedInTheLastMoment() throws {
        let dead = try LoneWriter(folder)
        dead.append()
        dead.ring.drawing.publish(2)
        let reader = JournalRingReader(dead.ring, after: 0)
        #expect(!reader.mayBringMore)
        dead.append()
        #expect(reader.mayBringMore)
    }

    @Test("numbers drawn while a mover reads the rings wait for its next round")
    func drawnDuringTheLook() async throws {
        let store = try folder.open()
        try await store.commit()
        let (early, late) = (try LoneWriter(folder, "writer-1-a"), try LoneWriter(folder, "writer-1-b"))
        // The counter as a mover had read it, before either instance drew a number.
        #expect(early.append() == 1)
        #expect(late.append() == 2)
        late.control.counter.publish(0)
        try await store.commit()
        #expect(try await store.seqs() == [1, 2])
        #expect(try store.append().get().seq == 3)
    }

    @Test("drops are counted once, by any instance that moves")
    func drops() async throws {
        let (first, second) = (try folder.open(), try folder.open())
        first.recordDrop(.encoding)
        second.recordDrop(.encoding)
        second.recordDrop(.runaway)
        try await first.commit()
        try await second.commit()
        let expected = [
            LedgerEntry(reason: .encoding, consumer: nil, count: 2, seqs: nil),
            LedgerEntry(reason: .runaway, consumer: nil, count: 1, seqs: nil),
        ]
        #expect(try await first.ledger() == expected)
        try await first.close()
        try await second.close()
        #expect(try await folder.open().ledger() == expected)
    }

    @Test("several instances can create a log at the same time")
    func makeAtOnce() async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 1...60 {
                let folder = try LogFolder()
                let start = Locked(0)
                for _ in 1...3 {
                    group.addTask {
                        // All at nearly the same time.
                        start.withLock { $0 += 1 }
                        while start.withLock({ $0 }) < 3 { await Task.yield() }
                        let store = try folder.open(maximumPendingBytes: 256 << 10)
                        #expect(store.installID == "install-1")
                        try await store.close()
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    @Test("opening and closing in many threads leaves one file with all events")
    func openAndClose() async throws {
        let folder = folder
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<6 {
                group.addTask {
                    for _ in 0..<10 {
                        let store = try folder.open(maximumPendingBytes: 256 << 10)
                        for _ in 0..<5 { _ = try store.append().get() }
                        try await store.close()
                    }
                }
            }
            try await group.waitForAll()
        }
        #expect(try folder.names() == ["events.sqlite"])
        let store = try folder.open()
        #expect(try await store.seqs() == Array(1...300))
        #expect(try await store.ledger() == [])
    }
}
