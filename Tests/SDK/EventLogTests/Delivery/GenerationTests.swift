import EventModel
import Foundation
import GRDB
import LogFixtures
import Testing

@testable import EventLog

/// A server knows a number with other bytes, and the log continues as another install.
@Suite("Generations of a log")
struct GenerationTests {
    let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private static let pause = DeliveryPause(
        setAt: ClockReading(time: EventTime(seconds: 500), sinceBoot: .now), length: .seconds(1), isServers: false)
    private static let fork = DeliveryResult.newGeneration(acknowledged: [], reason: "fork")

    /// Appends an event like `Tracking` does.
    private func send(_ user: String = "ada", to store: any EventStore) {
        let installID = store.installID
        _ = store.append { seq in .container(seq, of: installID, user: user) }
    }

    /// Delivers a consumer's next batch, and answers it.
    @discardableResult
    private func deliver(
        _ store: any EventStore, to consumer: String = "a", _ answer: (EventBatch) -> DeliveryResult
    ) async throws -> EventBatch? {
        let lease = try #require(try await store.lease(consumer))
        guard let batch = try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)) else {
            return nil
        }
        #expect(try await store.settle(lease, batch: batch.id, answer(batch), pause: Self.pause) != nil)
        return batch
    }

    private func accept(_ batch: EventBatch) -> DeliveryResult {
        .delivered(through: batch.seqs.upperBound, checkpoint: nil)
    }

    /// A batch's events: number, install and number in the line, and origin.
    private func lines(_ batch: EventBatch?) throws -> [String] {
        try (batch?.records ?? []).map { record in
            let line = try RecordedContainer(line: record.line)
            #expect(line.seq == record.seq && line.id == record.id)
            let text = String(decoding: record.line, as: UTF8.self)
            let origin = try /"origin":{"install_id":"([^"]*)","seq":(\d+)},"event"/.firstMatch(in: text)
            return "\(record.seq) \(line.installID == batch?.installID ? "own" : line.installID)"
                + (origin.map { " from \($0.1) \($0.2)" } ?? "")
        }
    }

    @Test(
        "a fork renumbers unacknowledged events, with an origin; events that the server holds count as delivered",
        arguments: StoreUnderTest.allCases)
    func fork(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...5 { send(to: store) }
        let generation = store.consentGeneration
        let first = try await deliver(store) { _ in .newGeneration(acknowledged: [2...2, 4...9], reason: "fork") }
        #expect(store.installID != "install-1" && store.consentGeneration != generation)
        send(to: store)
        let second = try await deliver(store, accept)
        #expect(try lines(second) == ["1 own from install-1 1", "2 own from install-1 3", "3 own"])
        #expect(second?.seqs == 1...3 && second?.missing == [] && second?.generation == 2 && second?.base == 5)
        #expect(second?.records.prefix(2).map(\.id) == [0, 2].compactMap { first?.records[$0].id })
        #expect(second?.installID == store.installID && second?.secret != first?.secret)
        #expect(try await deliver(store, accept) == nil)
        // The log has each event once, and accounts for every number.
        #expect(try await store.seqs() == [1, 2, 3, 4, 5, 8])
        #expect(
            try await store.ledger() == [
                LedgerEntry(reason: .forked, consumer: nil, count: 2, seqs: 6...7),
                LedgerEntry(reason: .forked, consumer: "a", count: 2, seqs: 1...3),
            ])
        // Answers use the install's numbers.
        send(to: store)
        let answer = store.append(lineCapacity: 100) { EventStamp.numbered($0, to: $1) }
        #expect(try answer.get() == 5)
    }

    @Test("other consumers finish the former install and skip the copies", arguments: StoreUnderTest.allCases)
    func others(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...3 { send(to: store) }
        _ = try await store.cursor(of: "b")
        try await deliver(store) { _ in Self.fork }
        send(to: store)
        for consumer in ["b", "new"] {
            let former = try await deliver(store, to: consumer, accept)
            #expect(former?.installID == "install-1" && former?.generation == 1 && former?.seqs == 1...3)
            let next = try await deliver(store, to: consumer, accept)
            #expect(try lines(next) == ["4 own"])
            #expect(next?.seqs == 1...4 && next?.missing == [MissingNumbers(1...3, .forked)])
            #expect(next?.ledger == [LedgerEntry(reason: .forked, consumer: nil, count: 3, seqs: 1...3)])
            #expect(try await deliver(store, to: consumer, accept) == nil)
        }
        #expect(try lines(try await deliver(store, accept)).count == 4)
    }

    @Test("answers to a later install's batch use that install's numbers", arguments: StoreUnderTest.allCases)
    func answers(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...3 { send(to: store) }
        try await deliver(store) { _ in Self.fork }
        send(to: store)
        let lease = try #require(try await store.lease("a"))
        let batch = try #require(try await store.nextBatch(lease, through: store.syncStored(), lasting: .seconds(90)))
        #expect(batch.records.map(\.seq) == [1, 2, 3, 4])
        let verdicts = DeliveryResult.judged(
            [2: .refused(reason: "bad"), 3: .retry(reason: "later")], checkpoint: "c")
        let settled = try #require(try await store.settle(lease, batch: batch.id, verdicts, pause: Self.pause))
        #expect(settled.refused == [2] && settled.cursor.acknowledged == 7)
        let late = try await deliver(store, accept)
        #expect(late?.records.map(\.seq) == [3] && late?.checkpoint == "c")
        #expect(late?.ledger.contains(LedgerEntry(reason: .refused, consumer: "a", count: 1, seqs: 2...2)) == true)
        #expect(try await deliver(store, accept) == nil)
    }

    @Test("a second fork copies the copies again, and keeps their first origin", arguments: StoreUnderTest.allCases)
    func again(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...2 { send(to: store) }
        try await deliver(store) { _ in Self.fork }
        send(to: store)
        let second = store.installID
        try await deliver(store) { _ in .newGeneration(acknowledged: [1...1], reason: "fork") }
        let third = try await deliver(store, accept)
        #expect(try lines(third) == ["1 own from install-1 2", "2 own from \(second) 3"])
        #expect(third?.generation == 3)
        #expect(try await deliver(store, accept) == nil)
    }

    @Test("a fork of a former install moves its events to the newest install", arguments: StoreUnderTest.allCases)
    func former(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...2 { send(to: store) }
        _ = try await store.cursor(of: "b")
        try await deliver(store) { _ in Self.fork }
        let install = store.installID
        send(to: store)
        try await deliver(store, to: "b") { _ in .newGeneration(acknowledged: [1...1], reason: "fork") }
        #expect(store.installID == install)
        let next = try await deliver(store, to: "b", accept)
        #expect(try lines(next) == ["3 own", "4 own from install-1 2"])
        #expect(next?.missing == [MissingNumbers(1...2, .forked)])
        let own = try await deliver(store, accept)
        #expect(try lines(own) == ["1 own from install-1 1", "2 own from install-1 2", "3 own"])
        #expect(try await deliver(store, accept) == nil)
    }

    @Test(
        "an opt-out removes a user's copies and their original events", arguments: StoreUnderTest.allCases
    )
    func optOut(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for user in ["ada", "bob", "ada"] { send(user, to: store) }
        try await deliver(store) { _ in Self.fork }
        try await store.setConsent(.denied, of: ["ada"])
        let batch = try await deliver(store, accept)
        #expect(try lines(batch) == ["2 own from install-1 2"])
        #expect(batch?.missing == [MissingNumbers(1...1, .optedOut), MissingNumbers(3...3, .optedOut)])
        #expect(try await store.seqs() == [2])
    }

    @Test("a new install's batches count drops from its start", arguments: StoreUnderTest.allCases)
    func drops(store kind: StoreUnderTest) async throws {
        let store = try kind.make(in: folder)
        for _ in 1...3 { store.recordDrop(.tooLarge) }
        send(to: store)
        #expect(
            try await deliver(store) { _ in Self.fork }?.ledger == [
                LedgerEntry(reason: .tooLarge, consumer: nil, count: 3, seqs: nil)
            ])
        // A reason without drops since then has no row.
        #expect(
            try await deliver(store) { _ in .retry(after: nil, reason: "away") }?.ledger.contains {
                $0.reason == .tooLarge
            } == false)
        for _ in 1...2 { store.recordDrop(.tooLarge) }
        try await store.commit()
        let ledger = try await deliver(store, accept)?.ledger
        #expect(ledger?.first { $0.reason == .tooLarge }?.count == 2)
    }
}

extension EventRecord {
    /// An event whose line is a container.
    static func container(_ seq: Int64, of installID: String, user: String) -> EventRecord {
        let id = EventID(milliseconds: 100_000, counter: 0, random: UInt64.random(in: 0..<1 << 40))
        let line = """
            {"v":1,"id":"\(id)","install_id":"\(installID)","seq":\(seq),"session_id":"s","user_id":"\(user)",\
            "time":100,"schema":"search/1-0-0","event":{"name":"search","query":"x"}}
            """
        return EventRecord(seq: seq, id: id, time: EventTime(seconds: 100), name: "search", line: Array(line.utf8))
    }
}
