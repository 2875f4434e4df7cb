import Foundation
import GRDB
import LogFixtures
import Primitives
import Testing

@testable import EventLog

/// The behavior of a log while the system is about to suspend its process.
@Suite("Background time", .timeLimit(.minutes(5)))
struct BackgroundTimeTests {
    let folder: LogFolder
    let time = BackgroundTimeDouble()

    init() throws { folder = try LogFolder() }

    private func isLockFree() throws -> Bool {
        do {
            try JournalControl.openLocked(folder: folder.journal, timeout: .zero).0.unlock()
            return true
        } catch let error as EventLogError where error.code == .inUse { return false }
    }

    private func expectExpired(_ body: () async throws -> Void) async {
        await #expect {
            try await body()
        } throws: { error in
            (error as? EventLogError)?.code == .expired
        }
    }

    @Test("opening and operations begin and end an assertion")
    func operations() async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time))
        #expect(time.begun == ["Opening the event log"])
        #expect(time.held == [])
        #expect(try await store.statistics().count == 0)
        #expect(time.begun == ["Opening the event log", "Using the event log"])
        let held = try await store.perform { [time] _ in time.held }
        #expect(held == ["Using the event log"])
        #expect(time.held == [])
    }

    @Test("the mover holds an assertion while it moves, and ends it before it sleeps")
    func mover() async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time))
        store.append()
        await time.awaitBeginning(of: "Moving tracked events")
        await time.awaitEnd()
        #expect(time.held == [])
        #expect(try await store.seqs() == [1])
    }

    @Test(
        "when the time expires, moving stops between two transactions, without a lock; the rest is moved later, once"
    )
    func expiry() async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time, eventsPerTransaction: 10))
        try await store.perform { [time] worker in
            for _ in 1...100 { store.append() }
            time.enterBackground(for: .seconds(30))
            // In the middle of the first transaction.
            try worker.exclusively { db in
                db.afterNextTransaction { _ in time.advance(by: .seconds(30)) }
            }
            #expect { try worker.moveAll() } throws: { ($0 as? EventLogError)?.code == .expired }
            #expect(worker.lastSeq == 10)
            #expect(try isLockFree())
        }
        await expectExpired { try await store.commit() }
        #expect(try isLockFree())
        #expect(time.held == [])
        time.becomeActive()
        #expect(try await store.seqs() == Array(1...100))
        #expect(try await store.ledger() == [])
    }

    @Test("without background time events are accepted, but not moved")
    func refused() async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time))
        time.enterBackground(for: .zero)
        store.append()
        await expectExpired { try await store.flushToDisk() }
        await expectExpired { _ = try await store.seqs() }
        store.append()
        time.becomeActive()
        #expect(try await store.seqs() == [1, 2])
    }

    @Test("the wait for another program's lock ends when the time expires", arguments: [true, false])
    func waiting(isDatabase: Bool) async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time))
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: folder.path, configuration: configuration)
        let control = try JournalControl.openLocked(folder: folder.journal, timeout: .zero).0
        if isDatabase {
            control.unlock()
            try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        }
        time.enterBackground(for: .seconds(30))
        async let sync: Void = store.flushToDisk()
        await time.awaitBeginning(of: "Using the event log")
        time.advance(by: .seconds(30))
        do {
            try await sync
            Issue.record("the operation did not wait for the lock")
        } catch { #expect((error as? EventLogError)?.code == .expired) }
        #expect(time.held == [])
        if isDatabase { try other.inDatabase { try $0.execute(sql: "ROLLBACK") } } else { control.unlock() }
        time.becomeActive()
        store.append()
        #expect(try await store.seqs() == [1])
    }

    @Test("an opt-out applies even if it cannot be stored before suspension")
    func optOut() async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time))
        time.enterBackground(for: .zero)
        store.append(user: "u")
        await expectExpired { try await store.setConsent(.denied, of: ["u"]) }
        #expect(store.consent(of: "u") == .denied)
    }

    @Test("open() runs on a separate thread, and the log has its earlier events")
    func opening() async throws {
        let store = try folder.open()
        store.append()
        try await store.close()
        let opened = try await SQLiteEventStore.open(path: folder.path, options: folder.options(time))
        #expect(try await opened.seqs() == [1])
        #expect(time.begun.first == "Opening the event log")
        #expect(time.held == [])
    }

    @Test("open() throws the same error as the initializer")
    func failedOpening() async throws {
        let path = folder.url.appendingPathComponent("missing/events.sqlite").path
        await #expect {
            _ = try await SQLiteEventStore.open(path: path, options: folder.options(time))
        } throws: { error in
            (error as? EventLogError)?.code == .cannotOpen
        }
    }

    @Test(
        "opening ends its assertion when the time expires during a wait for a lock, and restarts later")
    func openingExpires() async throws {
        try await folder.open().close()
        let control = try JournalControl.openLocked(folder: folder.journal, timeout: .zero).0
        time.enterBackground(for: .seconds(30))
        async let opening = SQLiteEventStore.open(path: folder.path, options: folder.options(time))
        await time.awaitBeginning(of: "Opening the event log")
        time.advance(by: .seconds(30))
        await time.awaitEnd()
        #expect(time.held == [])
        control.unlock()
        time.becomeActive()
        #expect(try await opening.seqs() == [])
    }

    @Test("several users share one system assertion; each is notified of its expiry, and it lasts until all have ended")
    func sharing() throws {
        let shared = SharedBackgroundTime(time)
        let told = Locked<[String]>([])
        let first = try #require(shared.begin("first") { told.withLock { $0.append("first") } })
        let second = try #require(shared.begin("second") { told.withLock { $0.append("second") } })
        #expect(time.held == ["first"])
        first.end()
        first.end()
        #expect(time.held == ["first"])
        time.enterBackground(for: .seconds(1))
        time.advance(by: .seconds(1))
        #expect(told.withLock { $0 } == ["second"])
        #expect(shared.isOver)
        #expect(shared.begin("early") {} == nil)
        time.becomeActive()
        // The second user has not ended yet, which does not block others.
        let third = try #require(shared.begin("third") {})
        #expect(!shared.isOver)
        #expect(time.held == ["first", "third"])
        second.end()
        #expect(time.held == ["third"])
        #expect(told.withLock { $0 } == ["second"])
        third.end()
        #expect(time.held == [])
    }

    @Test("releasing a share ends it")
    func droppedShare() {
        let shared = SharedBackgroundTime(time)
        do {
            let share = shared.begin("dropped") {}
            #expect(share != nil)
            #expect(time.held == ["dropped"])
        }
        #expect(time.held == [])
    }
}
