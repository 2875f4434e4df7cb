import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// Events that a consumer has permanently refused.
@Suite("Dead letters")
struct DeadLetterTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private static let pause = DeliveryPause(
        setAt: ClockReading(time: EventTime(seconds: 500), sinceBoot: .now), length: .seconds(1), isServers: false)

    /// Answers a consumer's next batch.
    private func answer(
        _ store: any EventStore, _ answer: (EventBatch) -> DeliveryResult
    ) async throws -> SettledBatch? {
        let lease = try #require(try await store.lease("a"))
        let batch = try #require(try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        return try await store.settle(lease, batch: batch.id, answer(batch), pause: Self.pause)
    }

    private func refuse(_ seqs: [Int64], of store: any EventStore) async throws {
        _ = try await answer(store) { _ in
            .judged(
                Dictionary(uniqueKeysWithValues: seqs.map { ($0, .refused(reason: "bad", location: "/event/x")) }),
                checkpoint: nil)
        }
    }

    @Test("a refused event is kept with its line, reason, location, attempts and time")
    func kept() async throws {
        let store = try folder.open()
        for _ in 1...3 { store.append() }
        _ = try await answer(store) { _ in .retry(after: nil, reason: "away") }
        try await refuse([2], of: store)
        let letter = DeadLetter(
            number: 1, consumer: "a", installID: "install-1", seq: 2, time: EventTime(seconds: 500), attempts: 2,
            reason: "bad", location: "/event/x", line: EventRecord.numbered(2).line)
        #expect(try await store.deadLetters() == [letter])
        #expect(try EventLogReader(path: folder.path).deadLetters() == [letter])
        #expect(try EventLogReader(path: folder.path).deadLetters(after: 1) == [])
        #expect(try await store.ledger() == [LedgerEntry(reason: .refused, consumer: "a", count: 1, seqs: 2...2)])
        try await store.removeDeadLetters([1])
        #expect(try await store.deadLetters() == [])
    }

    @Test("of a rejected batch only the invalid event is kept")
    func rejected() async throws {
        let store = InMemoryEventStore(installID: "install-1")
        for _ in 1...4 { store.append() }
        for _ in 1...20 where try await store.cursor(of: "a").acknowledged < 4 {
            _ = try await answer(store) { batch in
                batch.records.contains { $0.seq == 3 }
                    ? .rejected(reason: "poison")
                    : .delivered(through: batch.seqs.upperBound, checkpoint: nil)
            }
        }
        let letters = try await store.deadLetters()
        #expect(letters.map(\.seq) == [3] && letters.map(\.reason) == ["poison"])
    }

    @Test("past the limit on count or bytes the oldest are removed and counted")
    func limits() async throws {
        var options = SQLiteEventStore.Options(installID: { "install-1" }, retention: .keepAll)
        options.deadLetters = DeadLetterLimits(maximumCount: 3, maximumBytes: 1000)
        let store = try SQLiteEventStore(path: folder.path, options: options)
        for _ in 1...5 { store.append() }
        try await refuse([1, 2, 3, 4, 5], of: store)
        #expect(try await store.deadLetters().map(\.seq) == [3, 4, 5])
        store.append(length: 995)
        try await refuse([6], of: store)
        #expect(try await store.deadLetters().map(\.seq) == [6])
        #expect(
            try await store.perform { worker in
                try worker.reading { try Int.fetchOne($0, sql: "SELECT evicted_letters FROM log") }
            } == 5)
    }

    @Test("an opt-out erases the user's dead letters from all files; an age limit removes old ones")
    func erased() async throws {
        let store = try folder.open(retention: Retention(maximumAge: .seconds(100)))
        for user in ["ada", "bob", "ada"] { store.append(user: user) }
        try await refuse([1, 2], of: store)
        #expect(try await store.deadLetters().map(\.seq) == [1, 2])
        try await store.setConsent(.denied, of: ["ada"])
        #expect(try await store.deadLetters().map(\.seq) == [2])
        try await store.prune(now: EventTime(seconds: 600))
        #expect(try await store.deadLetters().map(\.seq) == [2])
        try await store.prune(now: EventTime(seconds: 601))
        #expect(try await store.deadLetters() == [])
    }
}
