import DeliveryProtocol
import EventLog
import EventModel
import LogFixtures
import Testing

@testable import LogMaintenance

/// A log's account of its numbers, read while a writer has it open.
@Suite("DeviceLog")
struct DeviceLogTests {
    private let folder: LogFolder

    init() throws { folder = try LogFolder() }

    private func append(_ store: SQLiteEventStore, user: String = "ada") throws {
        let installID = store.installID
        // The numbers of a later install start at 1 again, but its ids must differ.
        let salt: UInt64 = installID == "install-1" ? 0 : 1 << 32
        _ = try store.append { seq in
            let line = "{\"install_id\":\"\(installID)\",\"seq\":\(seq),\"user_id\":\"\(user)\"}"
            return EventRecord(
                seq: seq, id: EventID(milliseconds: 1, counter: 0, random: salt | UInt64(seq) << 2),
                time: EventTime(seconds: 1), name: "launch", line: Array(line.utf8))
        }.get()
    }

    @discardableResult
    private func answer(
        _ store: SQLiteEventStore, to consumer: String = "http", _ result: (EventBatch) -> DeliveryResult
    ) async throws -> EventBatch {
        let lease = try #require(
            try await store.beginDelivery(to: consumer, lasting: .seconds(90), at: EventTime(seconds: 1)))
        let end = try await store.syncStored()
        let batch = try #require(try await store.nextBatch(lease, through: end, lasting: .seconds(90)))
        _ = try await store.settle(lease, batch: batch.id, result(batch), pause: nil)
        try await store.endDelivery(lease)
        return batch
    }

    private func delivered(_ batch: EventBatch) -> DeliveryResult {
        .delivered(through: batch.seqs.upperBound, checkpoint: nil)
    }

    private func run(_ batch: EventBatch) -> RangeHash {
        RangeHash(seqs: batch.seqs, lines: batch.records.map(\.line))
    }

    @Test("delivered, waiting, held and refused numbers, and the hashes of whole runs")
    func log() async throws {
        let store = try folder.open()
        for user in ["ada", "ada", "bob", "ada"] { try append(store, user: user) }
        let first = try await answer(store) { batch in
            .judged([2: .refused(reason: "no"), 4: .retry(reason: "later")], checkpoint: nil)
        }
        try append(store)
        let log = try DeviceLog(path: folder.path, consumer: "http")
        #expect(log.installs == ["install-1"])
        // Assigned after the log was opened: not counted.
        try append(store)
        let part = RangeHash(seqs: 3...3, lines: [first.records[2].line])
        let runs = [run(first), part, RangeHash(seqs: 7...9, hash: 1)]
        let account = try #require(try log.accounts(hashing: ["install-1": [runs]]).first)
        #expect(account.highest == 5 && account.isNewest && account.covered == 4)
        #expect(account.lines == [1...6])
        #expect(account.undelivered.first == 4...EventRecord.highestSeq && account.held.isEmpty)
        #expect(account.losses == [.init("refused", fate: .refused, seqs: [2...2])])
        #expect(account.hashes.contains(part) && !account.hashes.contains { $0.seqs == 7...9 })
        try await store.close()
    }

    @Test("an opt-out before the receipt: what the collector has stays stored, and the next batch has the reason")
    func optedOut() async throws {
        let store = try folder.open()
        for user in ["ada", "bob", "ada"] { try append(store, user: user) }
        let lost = try await answer(store) { _ in .retry(after: nil, reason: "no receipt") }
        try await store.setConsent(.denied, of: ["ada"])
        let next = try await answer(store, delivered)
        #expect(next.missing.map(\.reason.rawValue) == ["opted-out", "opted-out"])
        let account = try #require(
            try DeviceLog(path: folder.path, consumer: "http").accounts(hashing: ["install-1": [[run(lost)]]]).first)
        #expect(account.losses == [.init("opted-out", fate: .optedOut, seqs: [1...1, 3...3])])
        let summary = InstallSummary(
            installID: "install-1", firstSeen: EventTime(seconds: 1), lastSeen: EventTime(seconds: 2), highest: 3,
            numbers: [.init(seqs: 1...3, fate: .stored)], ledger: [], forks: [])
        let result = Reconciliation(account, collector: summary, runs: [[run(lost)]])
        #expect(result.stored == [1...3] && result.explained.isEmpty && result.isSound)
        try await store.close()
    }

    @Test(
        "after a fork each install has its own numbers, and nothing is lost on the device or at the collector")
    func fork() async throws {
        let store = try folder.open()
        for _ in 1...5 { try append(store) }
        _ = try await store.cursor(of: "other")
        try await answer(store) { _ in .newGeneration(acknowledged: [2...2], reason: "fork") }
        try append(store)
        let copied = try await answer(store, delivered)
        #expect(copied.records.count == 5)
        try append(store)
        let log = try DeviceLog(path: folder.path, consumer: "http")
        let newest = try #require(log.installs.last)
        #expect(log.installs == ["install-1", newest] && newest == copied.installID)
        let accounts = try log.accounts(hashing: [newest: [[run(copied)]]])
        try #require(accounts.count == 2)
        #expect(accounts[0].highest == 5 && !accounts[0].isNewest && accounts[0].lines == [1...5])
        #expect(accounts[0].forked == [1...1, 3...5] && accounts[0].copies.isEmpty)
        #expect(accounts[1].highest == 6 && accounts[1].isNewest && accounts[1].covered == 5)
        #expect(accounts[1].copies == [1...4] && accounts[1].forked.isEmpty)
        #expect(accounts[1].lines == [5...6])

        func summary(_ install: String, _ numbers: [(ClosedRange<Int64>, NumberFate)]) -> InstallSummary {
            InstallSummary(
                installID: install, firstSeen: EventTime(seconds: 1), lastSeen: EventTime(seconds: 2), highest: 9,
                numbers: numbers.map { .init(seqs: $0.0, fate: $0.1) }, ledger: [], forks: [])
        }
        let former = Reconciliation(accounts[0], collector: summary("install-1", [(1...9, .stored)]), runs: [])
        #expect(former.stored == [2...2] && former.forked == [1...1, 3...5] && former.isSound)
        let now = Reconciliation(accounts[1], collector: summary(newest, [(1...5, .stored)]), runs: [[run(copied)]])
        #expect(now.stored == [1...5] && now.waiting == [6...6] && now.isSound)
        // The copies are removed here.
        #expect(now.uncomparedRuns == 1)
        // A copy that the collector has lost again is no longer forked.
        let lost = Reconciliation(
            accounts[1], collector: summary(newest, [(1...1, .stored), (3...5, .stored)]), runs: [])
        #expect(lost.unexplained == [2...2])
        // The consumer without a fork gets the former install unchanged, and skips the copies.
        let other = try DeviceLog(path: folder.path, consumer: "other").accounts(hashing: [:])
        #expect(other[0].forked.isEmpty && other[1].forked.isEmpty && other[1].copies == [1...4])
        let unsent = Reconciliation(other[1], collector: nil, runs: [])
        #expect(unsent.forked == [1...4] && unsent.waiting == [5...6] && unsent.isSound)
        try await store.close()
    }

    @Test("a copy that is not delivered yet is waiting")
    func waitingCopies() async throws {
        let store = try folder.open()
        for _ in 1...3 { try append(store) }
        try await answer(store) { _ in .newGeneration(acknowledged: [], reason: "fork") }
        let accounts = try DeviceLog(path: folder.path, consumer: "http").accounts(hashing: [:])
        try #require(accounts.count == 2)
        #expect(accounts[1].lines == [1...3])
        let result = Reconciliation(accounts[1], collector: nil, runs: [])
        #expect(result.waiting == [1...3] && result.forked.isEmpty && result.isSound)
        try await store.close()
    }

    @Test("events in a journal are waiting; an unknown consumer is reported, with the known ones")
    func names() async throws {
        let store = try folder.open()
        try append(store)
        let pending = try #require(
            try DeviceLog(path: folder.path, consumer: "http").accounts(hashing: [:]).first)
        #expect(pending.highest == 1)
        #expect(Reconciliation(pending, collector: nil, runs: []).waiting == [1...1])
        _ = try await store.cursor(of: "collector")
        try await store.close()
        let error = #expect(throws: LogMaintenanceError.self) { _ = try DeviceLog(path: folder.path, consumer: "http") }
        #expect(error?.code == .noConsumer && error?.message.contains("--consumer (collector)") == true)
    }
}
