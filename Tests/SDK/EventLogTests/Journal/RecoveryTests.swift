import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Recovery of journals whose writers have ended.
@Suite("Recovery")
struct RecoveryTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func expect(
        _ store: SQLiteEventStore, seqs: [Int64], ledger: [LedgerEntry] = [],
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        #expect(try await store.seqs() == seqs, sourceLocation: sourceLocation)
        #expect(try await store.all() == seqs.map { .numbered($0) }, sourceLocation: sourceLocation)
        #expect(try await store.ledger() == ledger, sourceLocation: sourceLocation)
    }

    @Test("events in a dead writer's ring are stored, and its file is removed")
    func ringOnly() async throws {
        try await folder.open().close()
        let dead = try LoneWriter(folder)
        for _ in 1...1200 { dead.append() }
        let store = try folder.open()
        try await expect(store, seqs: Array(1...1200))
        #expect(try store.append().get().seq == 1201)
        try await store.close()
        #expect(try folder.names() == ["events.sqlite"])
    }

    @Test("the rings of several dead writers are merged in order")
    func interleaved() async throws {
        let writers = try ["a", "b", "c"].map { try LoneWriter(folder, "writer-1-\($0)") }
        for turn in 0..<300 { writers[turn * 7 % 3].append() }
        try await expect(try folder.open(), seqs: Array(1...300))
    }

    @Test("the number of a sender that died during the call is in the ledger as interrupted")
    func interrupted() async throws {
        let (first, second) = (try LoneWriter(folder, "writer-1-a"), try LoneWriter(folder, "writer-1-b"))
        for _ in 1...3 { first.append() }
        #expect(first.drawAndStop() == 4)
        for _ in 5...6 { second.append() }
        #expect(second.drawAndStop() == 7)
        let store = try folder.open()
        try await expect(
            store, seqs: [1, 2, 3, 5, 6],
            ledger: [LedgerEntry(reason: .interrupted, consumer: nil, count: 2, seqs: 4...7)])
        #expect(try store.append().get().seq == 8)
    }

    @Test("a number that its dead sender had not announced yet is in the ledger, too")
    func interruptedEarlier() async throws {
        let dead = try LoneWriter(folder)
        dead.append()
        dead.ring.drawing.publish(JournalRing.unknownNumber)
        dead.control.counter.increment()
        try await expect(
            try folder.open(), seqs: [1],
            ledger: [LedgerEntry(reason: .interrupted, consumer: nil, count: 1, seqs: 2...2)])
    }

    @Test("an incomplete record is skipped, and its number is in the ledger", arguments: [0, 8, 40, 60])
    func halfWritten(offset: Int) async throws {
        let dead = try LoneWriter(folder)
        for _ in 1...3 { dead.append() }
        let start = Int(dead.ring.head.load())
        dead.append()
        dead.ring.head.publish(UInt64(start))
        dead.ring.drawing.publish(4)
        dead.ring.data.storeBytes(of: 0, toByteOffset: start + offset / 8 * 8, as: UInt64.self)
        try await expect(
            try folder.open(), seqs: [1, 2, 3],
            ledger: [LedgerEntry(reason: .interrupted, consumer: nil, count: 1, seqs: 4...4)])
    }

    @Test("a complete, unpublished record is stored")
    func completeButNotPublished() async throws {
        let dead = try LoneWriter(folder)
        dead.append()
        dead.ring.head.publish(0)
        dead.ring.drawing.publish(1)
        try await expect(try folder.open(), seqs: [1])
    }

    @Test("no event is stored twice if a mover dies before it updates the ring")
    func killedBetweenCommitAndTail() async throws {
        let first = try folder.open()
        for _ in 1...5 { first.append() }
        first.recordDrop(.encoding)
        try await first.commit()
        // The current database, with the ring from before its update.
        let copy = try LogFolder()
        let dead = try LoneWriter(copy)
        for _ in 1...5 { dead.append() }
        dead.ring.count(.encoding)
        try await first.close()
        try FileManager.default.copyItem(atPath: folder.path, toPath: copy.path)
        try await DatabaseQueue(path: copy.path).write { db in
            try db.execute(
                sql: "INSERT INTO journal_drops (journal, reason, count) VALUES ('writer-1-a', 'encoding', 1)")
        }
        let store = try copy.open()
        #expect(try await store.all() == (1...5).map { .numbered($0) })
        #expect(try await store.ledger() == [LedgerEntry(reason: .encoding, consumer: nil, count: 1, seqs: nil)])
    }

    @Test("drops without a number are counted once over restarts")
    func drops() async throws {
        let dead = try LoneWriter(folder)
        dead.append()
        for _ in 1...3 { dead.ring.count(.runaway) }
        let expected = [LedgerEntry(reason: .runaway, consumer: nil, count: 3, seqs: nil)]
        for _ in 1...3 {
            let store = try folder.open()
            #expect(try await store.ledger() == expected)
            try await store.close()
        }
    }

    @Test("a consumer that is ahead of the database never gets a number twice")
    func cursorAhead() async throws {
        let first = try folder.open()
        for _ in 1...3 { first.append() }
        try await first.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 9), refused: nil)
        try await first.close()
        let store = try folder.open()
        #expect(try store.append().get().seq == 10)
        #expect(
            try await store.ledger() == [LedgerEntry(reason: .damaged, consumer: nil, count: 6, seqs: 4...9)])
    }

    @Test(
        "a cursor or counter beyond the capacity of all rings is treated as damaged", arguments: [Int64.max, 1 << 52])
    func wildNumbers(value: Int64) async throws {
        let first = try folder.open()
        for _ in 1...3 { first.append() }
        try await first.acknowledge(ConsumerCursor(consumer: "a", acknowledged: value), refused: nil)
        try await first.close()
        let dead = try LoneWriter(folder)
        dead.control.counter.publish(UInt64(value))
        let store = try folder.open()
        #expect(try store.append().get().seq == 4)
        try await expect(store, seqs: [1, 2, 3, 4])
        #expect(try await store.cursor(of: "a").acknowledged == 3)
    }

    @Test("after a power failure with any mix of old and new pages, intact events are stored and the rest counted")
    func pagesOldOrNew() async throws {
        let source = try LogFolder()
        let writer = try LoneWriter(source, capacity: 32 << 10)
        for _ in 1...60 { writer.append(length: 150) }
        let file = URL(fileURLWithPath: writer.ring.file.path)
        let old = try [UInt8](Data(contentsOf: file))
        writer.takeAll()
        for _ in 61...150 { writer.append(length: 150) }
        let new = try [UInt8](Data(contentsOf: file))
        var generator = SteadyGenerator(state: 3)
        for turn in 0..<40 {
            let folder = try LogFolder()
            do {
                let dead = try LoneWriter(folder, capacity: 32 << 10)
                dead.control.counter.publish(150)
            }
            let mask = turn < 18 ? UInt64(1) << turn : generator.next()
            try folder.change(folder.journal + "/writer-1-a") { bytes in
                for page in 0..<bytes.count / 4096 {
                    let range = page * 4096..<(page + 1) * 4096
                    bytes.replaceSubrange(range, with: (mask >> page & 1 == 1 ? old : new)[range])
                }
            }
            let store = try folder.open()
            let events = try await store.all()
            #expect(events == events.map { .numbered($0.seq, length: 150) })
            let missing = try await store.ledger()
            #expect(missing.allSatisfy { $0.reason == .damaged || $0.reason == .interrupted })
            #expect(missing.reduce(0) { $0 + $1.count } == 150 - Int64(events.count))
            #expect(try store.append().get().seq == 151)
            if mask == 1 { #expect(Set(events.map(\.seq)).isSuperset(of: 61...150)) }
        }
    }
}
