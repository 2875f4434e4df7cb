import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// The identity of a batch: id, secret, and ledger rows.
@Suite("A batch's identity and ledger")
struct BatchIdentityTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    @Test("a batch has its install and secret, which stay the same after a restart")
    func identity() async throws {
        let store = try folder.open()
        store.append()
        let batch = try #require(try await store.batch(for: "a"))
        #expect(batch.installID == "install-1" && batch.generation == 1 && batch.base == 0 && !batch.isAdopted)
        #expect(InstallSecret.isValid(batch.secret))
        try await store.close()
        let again = try #require(try await folder.open().batch(for: "a"))
        #expect(again.secret == batch.secret && again.id == batch.id && again.attempt == 2)
        let generations = try EventLogReader(path: folder.path).generations()
        #expect(generations == [LogGeneration(installID: "install-1", secret: batch.secret)])
    }

    @Test("each log has a different secret, and batches and generations do not print it")
    func secrecy() async throws {
        let other = try LogFolder()
        var secrets: [String] = []
        for folder in [folder, other] {
            let store = try folder.open()
            store.append()
            let batch = try #require(try await store.batch(for: "a"))
            secrets.append(batch.secret)
            var dumped = "\(batch) \(String(reflecting: batch))"
            dump(batch, to: &dumped)
            let generation = try EventLogReader(path: folder.path).generations()[0]
            dumped += "\(generation) \(String(reflecting: generation))"
            dump(generation, to: &dumped)
            #expect(dumped.contains(batch.id) && !dumped.contains(batch.secret))
        }
        #expect(secrets[0] != secrets[1])
    }

    @Test("a void batch is sealed again under another id, with the same events", arguments: StoreUnderTest.allCases)
    func void(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...3 { store.append() }
        let lease = try #require(try await store.lease("a"))
        let first = try #require(try await store.nextBatch(lease, through: 3, lasting: .seconds(90)))
        let pause = DeliveryPause(
            setAt: ClockReading(time: EventTime(seconds: 1), sinceBoot: .now), length: .seconds(9), isServers: false)
        let settled = try await store.settle(lease, batch: first.id, .void(reason: "key reused"), pause: pause)
        #expect(settled?.cursor.acknowledged == 0 && settled?.failures == 1 && settled?.refused == [])
        let second = try #require(try await store.nextBatch(lease, through: 3, lasting: .seconds(90)))
        #expect(second.id != first.id && second.records == first.records && second.attempt == 1)
        // An answer to the void batch changes nothing.
        let late = DeliveryResult.delivered(through: 3, checkpoint: "late")
        #expect(try await store.settle(lease, batch: first.id, late, pause: nil) == nil)
        // The second void in a row sets a pause.
        #expect(try await store.lease("a")?.pause == nil)
        let last = try #require(try await store.lease("a"))
        let third = try #require(try await store.nextBatch(last, through: 3, lasting: .seconds(90)))
        _ = try await store.settle(last, batch: third.id, .void(reason: "key reused"), pause: pause)
        #expect(try await store.lease("a")?.pause == pause)
    }

    @Test(
        "batches carry ledger rows until one is accepted, then only the changed rows",
        arguments: StoreUnderTest.allCases)
    func ledger(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...4 { store.append() }
        store.recordDrop(.tooLarge, at: EventTime(seconds: 5))
        try await store.acknowledge(ConsumerCursor(consumer: "b", acknowledged: 2), refused: 1...2)
        let dropped = LedgerEntry(
            reason: .tooLarge, consumer: nil, count: 1, seqs: nil, times: EventTime(seconds: 5)...EventTime(seconds: 5))
        let lease = try #require(try await store.lease("a"))
        func next(through seq: Int64) async throws -> EventBatch {
            try #require(try await store.nextBatch(lease, through: seq, lasting: .seconds(90)))
        }
        // Another consumer's refusals are not included.
        let first = try await next(through: 2)
        #expect(first.ledger == [dropped])
        _ = try await store.settle(lease, batch: first.id, .retry(after: nil, reason: "away"), pause: nil)
        let again = try await next(through: 2)
        #expect(again.id == first.id && again.ledger == [dropped])
        let verdicts = DeliveryResult.judged([2: .refused(reason: "no")], checkpoint: nil)
        _ = try await store.settle(lease, batch: first.id, verdicts, pause: nil)
        store.recordDrop(.tooLarge, at: EventTime(seconds: 7))
        try await store.commit()
        let second = try await next(through: 3)
        #expect(
            second.ledger == [
                LedgerEntry(reason: .refused, consumer: "a", count: 1, seqs: 2...2),
                LedgerEntry(
                    reason: .tooLarge, consumer: nil, count: 2, seqs: nil,
                    times: EventTime(seconds: 5)...EventTime(seconds: 7)),
            ])
        _ = try await store.settle(lease, batch: second.id, .delivered(through: 3, checkpoint: nil), pause: nil)
        #expect(try await next(through: 4).ledger == [])
    }

    @Test("rows past a batch's limit come with later batches")
    func manyRows() async throws {
        let store = try folder.open()
        for _ in 1...1100 { store.append() }
        let rows = EventBatch.maximumLedgerRows + 20
        try await store.perform { worker in
            try worker.transaction { db in
                for seq in 1...Int64(rows) {
                    try Ledger.add(.refused, consumer: "a", count: 1, seqs: 2 * seq...2 * seq, db)
                }
            }
        }
        let lease = try #require(try await store.lease("a"))
        var seen: [LedgerEntry] = []
        for end in [Int64(10), 20, 30] {
            let batch = try #require(try await store.nextBatch(lease, through: end, lasting: .seconds(90)))
            #expect(batch.ledger.count == (end == 10 ? EventBatch.maximumLedgerRows : end == 20 ? 20 : 0))
            seen += batch.ledger
            _ = try await store.settle(lease, batch: batch.id, .delivered(through: end, checkpoint: nil), pause: nil)
        }
        #expect(seen.compactMap(\.seqs?.lowerBound) == (1...Int64(rows)).map { 2 * $0 })
    }

    @Test("a batch with many ranges without events ends earlier, and the later batches have the rest")
    func manyRanges() async throws {
        let store = try folder.open()
        try await store.storeConsent(store.requireConsent(of: "eve"))
        for seq in 1...2000 { store.append(user: seq % 2 == 0 ? "eve" : "ada") }
        var (seqs, ends): ([Int64], [ClosedRange<Int64>]) = ([], [])
        while let batch = try await delivered(from: store) {
            #expect(batch.missing.count <= EventBatch.maximumMissing && batch.missing.allSatisfy { $0.reason == .held })
            seqs += batch.records.map(\.seq)
            ends.append(batch.seqs)
        }
        #expect(seqs == (0..<1000).map { 2 * $0 + 1 })
        #expect(ends == [1...801, 802...1601, 1602...2000])
        try await store.setConsent(.granted, of: ["eve"])
        while let batch = try await delivered(from: store) { seqs += batch.records.map(\.seq) }
        #expect(seqs.sorted() == Array(1...2000))
    }

    @Test(
        "ranges before the first event that exceed the limit are reported as held, and the ledger's rows explain them")
    func manyRangesBefore() async throws {
        let store = try folder.open()
        try await store.storeConsent(store.requireConsent(of: "eve"))
        for _ in 1...1000 { store.append(user: "eve") }
        store.append(user: "ada")
        _ = try await store.syncStored()
        try await store.perform { worker in
            try worker.transaction { db in
                for seq in stride(from: Int64(2), through: 1000, by: 2) {
                    try db.execute(sql: "DELETE FROM events WHERE seq = ?", arguments: [seq])
                    try Ledger.add(.evicted, consumer: "a", count: 1, seqs: seq...seq, db)
                }
            }
        }
        let batch = try #require(try await delivered(from: store))
        #expect(batch.records.map(\.seq) == [1001] && batch.seqs == 1...1001)
        #expect(batch.missing.count == EventBatch.maximumMissing)
        #expect(batch.missing.prefix(2).map(\.reason) == [.held, .dropped])
        #expect(batch.missing.last == MissingNumbers(400...1000, .held))
        try await store.setConsent(.granted, of: ["eve"])
        var seqs: [Int64] = []
        while let batch = try await delivered(from: store) { seqs += batch.records.map(\.seq) }
        #expect(seqs == (0..<500).map { 2 * $0 + 1 })
    }

    /// Delivers the next batch.
    private func delivered(from store: some EventStore) async throws -> EventBatch? {
        guard let lease = try await store.lease("a"),
            let batch = try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90))
        else { return nil }
        let last = batch.records[batch.records.count - 1].seq
        _ = try await store.settle(lease, batch: batch.id, .delivered(through: last, checkpoint: nil), pause: nil)
        return batch
    }
}

extension EventStore {
    func lease(_ consumer: String) async throws -> DeliveryLease? {
        try await beginDelivery(to: consumer, lasting: .seconds(90), at: EventTime(seconds: 1))
    }

    /// The next batch of all stored events.
    func batch(for consumer: String) async throws -> EventBatch? {
        guard let lease = try await lease(consumer) else { return nil }
        return try await nextBatch(lease, through: syncStored(), lasting: .seconds(90))
    }
}
