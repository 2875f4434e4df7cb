import Dispatch
import EventModel
import LogFixtures
import Testing

@testable import EventLog

/// The conformance tests, run with every implementation of `EventStore`.
@Suite("Event store")
struct EventStoreConformanceTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    @Test(
        "numbers start at 1 and rise by one; a nil record uses no number", arguments: StoreUnderTest.allCases)
    func numbers(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        #expect(store.newest == nil)
        #expect(try store.append().get().seq == 1)
        #expect(store.append { _ in nil } == .failure(EventDropped(nil)))
        #expect(try store.append().get() == .numbered(2))
        #expect(store.newest == .numbered(2))
        #expect(try await store.all() == [.numbered(1), .numbered(2)])
        #expect(store.installID == "install-1")
    }

    @Test(
        "reading starts after a number and obeys both limits, but returns at least one event",
        arguments: StoreUnderTest.allCases)
    func reading(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...10 { store.append(length: 9) }
        func read(_ seq: Int64, _ count: Int, _ bytes: Int) async throws -> [Int64] {
            try await store.read(after: seq, maximumCount: count, maximumBytes: bytes).map(\.seq)
        }
        #expect(try await read(0, 3, .max) == [1, 2, 3])
        #expect(try await read(7, 100, .max) == [8, 9, 10])
        #expect(try await read(10, 100, .max) == [])
        #expect(try await read(0, 100, 30) == [1, 2, 3])  // 9 bytes and a line feed each.
        #expect(try await read(0, 100, 29) == [1, 2])
        #expect(try await read(4, 100, 1) == [5])
    }

    @Test(
        "each consumer has a separate cursor, which only rewind moves back",
        arguments: StoreUnderTest.allCases)
    func cursors(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...5 { store.append() }
        #expect(try await store.cursor(of: "a") == ConsumerCursor(consumer: "a"))
        try await store.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 4, checkpoint: "four"), refused: nil)
        try await store.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 2, checkpoint: "two"), refused: nil)
        #expect(try await store.cursor(of: "a") == ConsumerCursor(consumer: "a", acknowledged: 4, checkpoint: "two"))
        #expect(try await store.cursor(of: "b") == ConsumerCursor(consumer: "b"))
        try await store.rewind("a", to: 9)
        #expect(try await store.cursor(of: "a").acknowledged == 4)
        try await store.rewind("a", to: 1)
        #expect(try await store.cursor(of: "a") == ConsumerCursor(consumer: "a", acknowledged: 1))
    }

    @Test(
        "refused events are counted with their numbers, and stay in the log", arguments: StoreUnderTest.allCases)
    func refusing(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...5 { store.append() }
        try await store.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 2), refused: 2...2)
        try await store.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 5), refused: 4...5)
        #expect(try await store.ledger() == [LedgerEntry(reason: .refused, consumer: "a", count: 3, seqs: 2...5)])
        #expect(try await store.seqs() == [1, 2, 3, 4, 5])
    }

    @Test("an event can have an empty line", arguments: StoreUnderTest.allCases)
    func emptyLine(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for length in [20, 0, 20] {
            let appended = store.append(lineCapacity: 20) { seq, line in
                for index in 0..<length { line[index] = UInt8(ascii: "x") }
                let record = EventRecord.numbered(seq)
                return EventStamp(id: record.id, time: record.time, name: "n", lineLength: length)
            }
            #expect(throws: Never.self) { try appended.get() }
        }
        #expect(try await store.all().map(\.line.count) == [20, 0, 20])
    }

    @Test("drops are counted by reason", arguments: StoreUnderTest.allCases)
    func drops(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for reason in [DropReason.tooLarge, .encoding, .tooLarge] { store.recordDrop(reason) }
        #expect(
            try await store.ledger() == [
                LedgerEntry(reason: .encoding, consumer: nil, count: 1, seqs: nil),
                LedgerEntry(reason: .tooLarge, consumer: nil, count: 2, seqs: nil),
            ])
    }

    @Test(
        "an opt-out removes and counts only the user's undelivered events",
        arguments: StoreUnderTest.allCases)
    func discarding(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for user in ["a", "a", "a", "b", "a", "a", "b"] { store.append(user: user) }
        try await store.acknowledge(ConsumerCursor(consumer: "fast", acknowledged: 5), refused: nil)
        try await store.acknowledge(ConsumerCursor(consumer: "slow", acknowledged: 2), refused: nil)
        for user in ["a", "a", "other"] { try await store.setConsent(.denied, of: [user]) }
        #expect(try await store.seqs() == [1, 2, 4, 7])
        #expect(try await store.cursor(of: "slow").acknowledged == 2)
        #expect(try await store.ledger() == [LedgerEntry(reason: .optedOut, consumer: nil, count: 3, seqs: 3...6)])
        // Removes only events that were sent before.
        try await store.setConsent(.granted, of: ["a"])
        #expect(try store.append(user: "a").get().seq == 8)
        #expect(try await store.seqs() == [1, 2, 4, 7, 8])
    }

    @Test(
        "limits on age, count and bytes remove the oldest events that every consumer has acknowledged",
        arguments: StoreUnderTest.allCases,
        [
            Retention(maximumAge: .seconds(60)), Retention(maximumCount: 4), Retention(maximumBytes: 49),
        ])
    func retention(store kind: StoreUnderTest, retention: Retention) async throws {
        let store = try kind.make(in: folder, retention: retention)
        for index in 1...10 { store.append(at: 100 + Int64(index) * 10, length: 10) }
        let now = EventTime(seconds: 225)  // Older than 60 s: 110 to 160, the first six.
        try await store.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 3), refused: nil)
        try await store.prune(now: now)
        #expect(try await store.seqs() == Array(4...10))
        try await store.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 10), refused: nil)
        try await store.prune(now: now)
        #expect(try await store.seqs() == Array(7...10))
        #expect(try await store.ledger() == [])
        let statistics = try await store.statistics()
        #expect(statistics.count == 4)
        #expect(statistics.bytes == 40)
        #expect(statistics.firstSeq == 7)
        #expect(statistics.lastSeq == 10)
    }

    @Test("the hard limit removes and counts undelivered events, too", arguments: StoreUnderTest.allCases)
    func hardCap(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder, retention: Retention(hardMaximumBytes: 45))
        for _ in 1...3 { store.append() }
        try await store.acknowledge(ConsumerCursor(consumer: "a", acknowledged: 2), refused: nil)
        for _ in 4...10 { store.append() }
        #expect(try await store.seqs() == [7, 8, 9, 10])
        #expect(try await store.ledger() == [LedgerEntry(reason: .evicted, consumer: nil, count: 4, seqs: 3...6)])
    }

    @Test("the hard limit counts removed events even without consumers", arguments: StoreUnderTest.allCases)
    func hardCapWithoutConsumer(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder, retention: Retention(hardMaximumBytes: 45))
        for _ in 1...6 { store.append() }
        #expect(try await store.seqs() == [3, 4, 5, 6])
        #expect(try await store.ledger() == [LedgerEntry(reason: .evicted, consumer: nil, count: 2, seqs: 1...2)])
    }

    @Test(
        "an event with a repeated id is discarded and counted, and does not block later events",
        arguments: StoreUnderTest.allCases)
    func repeatedID(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        store.append()
        for id: UInt64 in [1, 7, 7] { _ = store.append { .numbered($0, id: id) } }
        store.append()
        try await store.commit()
        #expect(try await store.seqs() == [1, 3, 5])
        #expect(try await store.ledger() == [LedgerEntry(reason: .repeatedID, consumer: nil, count: 2, seqs: 2...4)])
        let statistics = try await store.statistics()
        #expect((statistics.count, statistics.bytes, statistics.lastSeq) == (3, 30, 5))
    }

    @Test("a closed log drops events, and can be closed again", arguments: StoreUnderTest.allCases)
    func closing(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        store.append()
        try await store.close()
        #expect(store.append() == .failure(EventDropped(.closed)))
        try await store.close()
    }

    @Test("eight threads get each number once, and the log has the events in order", arguments: StoreUnderTest.allCases)
    func threads(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        DispatchQueue.concurrentPerform(iterations: 8) { _ in
            for _ in 0..<250 { store.append() }
        }
        #expect(try await store.seqs() == Array(1...2000))
        #expect(try await store.statistics().count == 2000)
    }

    @Test(
        "a consumer that is not named on 30 days of use is retired and counted, and can continue later",
        arguments: StoreUnderTest.allCases)
    func retired(store kind: StoreUnderTest) async throws {
        final class Deliverer: LogDeliverer {
            let consumers = ["present"]
        }
        let store = try kind.make(in: folder, retention: Retention(maximumCount: 2))
        let deliverer = store.deliveries.engine { Deliverer() }
        let start = EventTime(seconds: 1_000_000)
        func take(_ consumer: String, at time: EventTime) async throws -> DeliveryLease {
            let lease = try #require(try await store.beginDelivery(to: consumer, lasting: .seconds(1), at: time))
            try await store.endDelivery(lease)
            return lease
        }
        for consumer in ["present", "gone"] { _ = try await take(consumer, at: start) }
        for _ in 1...5 { store.append() }
        try await store.acknowledge(ConsumerCursor(consumer: "present", acknowledged: 5), refused: nil)
        try await store.acknowledge(ConsumerCursor(consumer: "gone", acknowledged: 1, checkpoint: "one"), refused: nil)
        // A clock that is 20 years ahead for a moment counts as a day.
        try await store.prune(now: start.advanced(by: .seconds(20 * 365 * 86_400)))
        try await store.prune(now: start)
        func prune(on days: ClosedRange<Int>) async throws {
            for day in days { try await store.prune(now: start.advanced(by: .seconds(day * 86_400))) }
        }
        try await prune(on: 1...28)
        #expect(try await store.all().map(\.seq) == [2, 3, 4, 5])
        #expect(try await store.ledger() == [])
        try await prune(on: 29...29)
        let later = start.advanced(by: .seconds(29 * 86_400))
        #expect(try await store.all().map(\.seq) == [4, 5])
        let retired = LedgerEntry(reason: .retired, consumer: "gone", count: 4, seqs: 2...5)
        #expect(try await store.ledger() == [retired])
        let lease = try await take("gone", at: later)
        #expect(lease.cursor == ConsumerCursor(consumer: "gone", acknowledged: 5, checkpoint: "one"))
        store.append()
        try await store.prune(now: later)
        #expect(try await store.ledger() == [retired])
        // The other consumer is in this process, and was not named.
        try await prune(on: 30...62)
        #expect(try await store.ledger().map(\.consumer) == ["gone"])
        #expect(try await store.cursor(of: "present").acknowledged == 5)
        _ = deliverer
    }

    @Test(
        "a consumer that was named while the clock was ahead gets 30 days from the next pruning",
        arguments: StoreUnderTest.allCases)
    func retiredByAnEarlierClock(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        let start = EventTime(seconds: 1_000_000)
        let ahead = start.advanced(by: .seconds(60 * 86_400))
        let lease = try #require(try await store.beginDelivery(to: "gone", lasting: .seconds(1), at: ahead))
        try await store.endDelivery(lease)
        store.append()
        for day in 0...29 { try await store.prune(now: start.advanced(by: .seconds(day * 86_400))) }
        #expect(try await store.ledger() == [])
        try await store.prune(now: start.advanced(by: .seconds(30 * 86_400)))
        #expect(
            try await store.ledger() == [LedgerEntry(reason: .retired, consumer: "gone", count: 1, seqs: 1...1)])
    }
}
