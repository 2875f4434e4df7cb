import EventModel
import GRDB
import LogFixtures
import Primitives
import Testing

@testable import EventLog

/// The removals of several denials share a pass over the undelivered events.
@Suite("Removals that wait")
struct WaitingRemovalsTests {
    let folder: LogFolder
    private let time = Locked(ContinuousClock.now)
    private let outcomes = Locked<[String]>([])

    init() throws { folder = try LogFolder() }

    private func pass(by duration: Duration) { time.withLock { $0 += duration } }

    /// A step whose last run has ended just now.
    private func paused(for pause: Duration = .seconds(1)) throws -> PacedStep {
        let step = PacedStep { [time] in time.withLock { $0 } }
        try step.run { pass(by: pause / PacedStep.pause) }
        return step
    }

    /// A log with an event of each user, in the pause after a pass.
    private func log(of users: [String], pause: Duration = .seconds(1)) async throws -> SQLiteEventStore {
        let store = try folder.open()
        for user in users { store.append(user: user) }
        try await store.commit()
        let paused = try paused(for: pause)
        try await store.perform { worker in worker.removing = paused }
        return store
    }

    /// Answers for a user. Returns when the answer is stored, and notes when the events are removed.
    private func answer(_ choice: ConsentChoice, of user: String, in store: SQLiteEventStore) async throws {
        let answer = ConsentAnswer(choice, people: [user], time: EventTime(seconds: 0))
        try await store.storeConsents([store.noteConsent(.answer(answer))]) { [outcomes] removed in
            let text = if case .success = removed { "done" } else { "failed" }
            outcomes.withLock { $0.append("\(user) \(text)") }
        }
    }

    @Test("the pause after a run is a multiple of its duration, up to a limit; a run serves the callers so far")
    func pause() throws {
        let step = try paused()
        #expect(step.isEmpty && step.rest == .seconds(1) / PacedStep.pause * PacedStep.pause)
        step.add { [outcomes] _ in outcomes.withLock { $0.append("first") } }
        pass(by: .seconds(2))
        #expect(!step.isEmpty && step.rest == .zero)
        try step.run {
            step.add { [outcomes] _ in outcomes.withLock { $0.append("second") } }
            pass(by: .seconds(3))
        }
        #expect(outcomes.withLock { $0 } == ["first"] && !step.isEmpty)
        #expect(step.rest == PacedStep.maximumPause)
    }

    @Test("denials during the pause share the next pass; they are in effect before, and delay nothing else")
    func shared() async throws {
        let store = try await log(of: ["ada", "bob", "carl"])
        for user in ["ada", "bob"] { try await answer(.denied, of: user, in: store) }
        try await answer(.granted, of: "carl", in: store)
        #expect(outcomes.withLock { $0 } == ["carl done"])
        #expect(store.consent(of: "ada") == .denied)
        try await store.flushToDisk()
        #expect(try await store.batch(for: "a")?.records.map(\.seq) == [3])
        #expect(try await store.seqs() == [1, 2, 3])
        let commits = try await store.onQueue { $0.lastCommit }
        pass(by: .seconds(1))
        try await store.commit()
        #expect(outcomes.withLock { $0 } == ["carl done", "ada done", "bob done"])
        // Two steps of one pass.
        #expect(try await store.onQueue { $0.lastCommit } - commits == 2)
        #expect(try await store.seqs() == [3])
        #expect(try await store.ledger() == [LedgerEntry(reason: .optedOut, consumer: nil, count: 2, seqs: 1...2)])
    }

    @Test("an answer shares the sync of another operation")
    func sync() async throws {
        let store = try await log(of: ["ada"])
        let paused = try paused()
        try await store.perform { worker in worker.syncing = paused }
        async let stored: Void = answer(.granted, of: "ada", in: store)
        while try await store.onQueue({ $0.syncing.isEmpty }) { await Task.yield() }
        #expect(outcomes.withLock { $0 } == [])
        store.append(user: "bob")
        try await store.flushToDisk()
        try await stored
        #expect(outcomes.withLock { $0 } == ["ada done"])
    }

    @Test("a timer begins the next pass, also without another call")
    func timer() async throws {
        let store = try await log(of: ["ada"], pause: .milliseconds(20))
        let answer = ConsentAnswer(.denied, people: ["ada"], time: EventTime(seconds: 0))
        let change = store.noteConsent(.answer(answer))
        async let removed: Void = store.storeConsent(change)
        while try await store.onQueue({ !$0.removing.isScheduled }) { await Task.yield() }
        pass(by: .seconds(1))
        try await removed
        #expect(try await store.seqs() == [])
    }

    @Test("closing the log, or erasing a user, completes the removals that wait", arguments: [true, false])
    func completed(closes: Bool) async throws {
        let store = try await log(of: ["customer-ada", "bob", "carl"])
        try await answer(.denied, of: "customer-ada", in: store)
        if closes {
            try await store.close()
        } else {
            _ = try await store.erase("bob", device: nil, for: [])
        }
        #expect(outcomes.withLock { $0 } == ["customer-ada done"])
        #expect(try folder.files(with: "customer-ada") == [])
        #expect(try EventLogReader(path: folder.path).ledgerRanges().map(\.reason).contains(.optedOut))
    }

    @Test("the next process continues the removals that wait, whatever other processes have removed")
    func continued() async throws {
        let store = try await log(of: ["ada", "bob", "carl"])
        let other = try folder.open()
        try await answer(.denied, of: "ada", in: store)
        try await other.setConsent(.denied, of: ["bob"])
        try await store.perform { $0.abandon() }
        try await other.close()
        let next = try folder.open()
        #expect(try await next.seqs() == [3])
        pass(by: .seconds(1))
    }

    @Test("if the removal fails, the callers get the error, and a later pass continues")
    func failing() async throws {
        let store = try await log(of: ["ada", "bob"])
        try await answer(.denied, of: "ada", in: store)
        try await store.perform { worker in
            try worker.exclusively { db in
                try db.execute(
                    sql: "CREATE TEMP TRIGGER t BEFORE DELETE ON events BEGIN SELECT raise(ABORT, 'stopped'); END")
            }
        }
        pass(by: .seconds(1))
        await #expect(throws: EventLogError.self) { try await store.commit() }
        #expect(outcomes.withLock { $0 } == ["ada failed"])
        try await store.onQueue { worker in
            try worker.exclusively { db in try db.execute(sql: "DROP TRIGGER t") }
        }
        #expect(try await store.seqs() == [2])
    }
}
