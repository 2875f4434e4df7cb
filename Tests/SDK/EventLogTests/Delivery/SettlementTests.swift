import EventModel
import LogFixtures
import Testing

@testable import EventLog

/// The effects of an answer on the next batch.
@Suite("Settling a batch")
struct SettlementTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private static let pause = DeliveryPause(
        setAt: ClockReading(time: EventTime(seconds: 500), sinceBoot: .now), length: .seconds(1), isServers: false)

    /// Seals the next batch and answers it. Returns its numbers.
    @discardableResult
    private func answer(
        _ store: any EventStore, _ answer: (EventBatch) -> DeliveryResult
    ) async throws -> [Int64] {
        let lease = try #require(try await store.lease("a"))
        let batch = try #require(try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        _ = try await store.settle(lease, batch: batch.id, answer(batch), pause: Self.pause)
        return batch.records.map(\.seq)
    }

    @Test(
        "a halt is stored with its reason, its number and its pause until a batch is accepted; the next batch is one event",
        arguments: StoreUnderTest.allCases)
    func halt(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...2 { store.append() }
        try await answer(store) { _ in .retry(after: nil, reason: "away") }
        #expect(try await answer(store) { _ in .halt(reason: "wrong key") } == [1, 2])
        #expect(try await answer(store) { _ in .halt(reason: "wrong key") } == [1])
        let halted = try #require(try await store.lease("a"))
        #expect(halted.halt == "wrong key" && halted.halts == 2 && halted.failures == 3 && halted.pause == Self.pause)
        try await answer(store) { .delivered(through: $0.seqs.upperBound, checkpoint: nil) }
        let accepted = try #require(try await store.lease("a"))
        #expect(accepted.halt == nil && accepted.failures == 0 && accepted.pause == nil)
    }

    @Test(
        "after a timeout, a batch has at most half of the bytes that arrived; every second success allows twice as much",
        arguments: StoreUnderTest.allCases)
    func timedOut(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...200 { store.append() }
        var line = 0
        func counts(_ results: [DeliveryResult?]) async throws -> [Int] {
            var counts: [Int] = []
            for result in results {
                let seqs = try await answer(store) { batch in
                    line = batch.records.map { $0.line.count + 1 }.max() ?? 0
                    return result ?? .delivered(through: batch.seqs.upperBound, checkpoint: nil)
                }
                counts.append(seqs.count)
            }
            return counts
        }
        let half = DeliveryResult.timedOut(share: 0.5, reason: "slow")
        let first = try await counts([half, half, nil])
        #expect(first[0] == 200 && 48...50 ~= first[1] && 11...12 ~= first[2])
        // Numbers of more digits make lines longer.
        let growing = try await counts([nil, nil, nil, nil, nil])
        #expect(growing[0] <= 12 && 20...24 ~= growing[1] && 20...24 ~= growing[2] && 40...50 ~= growing[3])
        // Nothing arrived: a single event, which stays the same batch.
        for _ in 1...20 { store.append() }
        let nothing = DeliveryResult.timedOut(share: 0, reason: "slow")
        let last = try await counts([nothing, nothing])
        #expect(last[1] == 1 && line > 0)
        let lease = try #require(try await store.lease("a"))
        let batch = try #require(try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        #expect(batch.records.count == 1 && batch.attempt == 2)
    }

    @Test("the learned size survives a restart")
    func timedOutAfterRestart() async throws {
        let store = try folder.open()
        for _ in 1...100 { store.append() }
        try await answer(store) { _ in .timedOut(share: nil, reason: "slow") }
        try await store.close()
        let next = try folder.open()
        #expect(try await answer(next) { _ in .retry(after: nil, reason: "away") }.count < 51)
    }

    @Test("another process sees a halt")
    func haltOfAnotherProcess() async throws {
        let store = try folder.open()
        store.append()
        try await answer(store) { _ in .halt(reason: "wrong key") }
        try await store.close()
        #expect(try await folder.open().lease("a")?.halt == "wrong key")
    }

    @Test(
        "a rejected batch is halved until the invalid event is alone; the rest is one batch again",
        arguments: StoreUnderTest.allCases)
    func halving(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...9 { store.append() }
        var sealed: [[Int64]] = []
        while try await store.cursor(of: "a").acknowledged < 9, sealed.count < 20 {
            sealed.append(
                try await answer(store) { batch in
                    batch.records.contains { $0.seq == 6 }
                        ? .rejected(reason: "poison") : .delivered(through: batch.seqs.upperBound, checkpoint: nil)
                })
        }
        #expect(
            sealed == [
                Array(1...9), [1, 2, 3, 4], [5, 6, 7], [5], [6], [7, 8, 9],
            ])
        #expect(try await store.ledger().map(\.seqs) == [6...6])
    }

    @Test("replay results can be added")
    func replayResults() {
        var sum = ReplayResult()
        for _ in 1...2 {
            var result = ReplayResult()
            (result.kept, result.renumbered, result.known) = (1, 10, 100)
            sum += result
        }
        #expect(sum.kept == 2 && sum.renumbered == 20 && sum.known == 200)
    }
}
