import EventLog
import LogFixtures
import Primitives
import Testing

@testable import TrackingCore

/// Unreadable storage, and logs that can't be opened.
@Suite("A log or a storage that can't be opened", .timeLimit(.minutes(5)))
struct OpeningFailureTests: OpeningSuite {
    let dependencies = TestDependencies()
    let gate = OpeningGate()

    private static let lockedValues = ["device_id": "device", "user_id": "ada"]

    @Test("while the storage can't be read, events wait for their user, no device id is created, and nothing is stored")
    func lockedStorage() async throws {
        let (storage, timer) = (LockedStorage(Self.lockedValues), ManualTimer())
        let environment = start(consent: .required, storage: storage, timer: timer)
        #expect(environment.tracking.send(.launch)?.isPending == true)
        environment.tracking.identify("bob")
        #expect(environment.tracking.send(.launch)?.isPending == true)
        #expect(await timer.fire() == .seconds(1))
        #expect(storage.behind.string(forKey: "user_id") == "ada")
        #expect(await timer.fire { _ in storage.unlock() } == .seconds(2))
        await open(environment)
        try await environment.tracking.flushToDisk()
        #expect(try dependencies.strings("user_id") == ["ada", "bob"])
        // Ada was signed out.
        let device = environment.device.store.state.deviceID
        #expect(device.count == 36 && storage.behind.string(forKey: "device_id") == device)
        #expect(storage.behind.string(forKey: "user_id") == "bob")
        for user in ["ada", "bob", "device", device] { #expect(dependencies.log.consent(of: user) == .unknown) }
        #expect(dependencies.diagnostics.withLock { $0 } == ["NotUnlocked()"])
    }

    @Test("an opt-out of the user in temporarily unreadable storage applies to waiting events")
    func lockedOptOut() async throws {
        try await dependencies.log.setConsent(.denied, of: ["ada"])
        let (storage, timer) = (LockedStorage(Self.lockedValues), ManualTimer())
        let environment = start(storage: storage, timer: timer)
        for _ in 1...2 { environment.tracking.send(.launch) }
        _ = await timer.fire { _ in storage.unlock() }
        await open(environment)
        #expect(dependencies.log.records.isEmpty)
        #expect(try await dependencies.log.ledger().map(\.reason) == [.optedOut])
        #expect(dependencies.log.consent(of: "ada") == .denied && environment.tracking.consent.value == .denied)
    }

    @Test("if the first start can't be stored yet, the device gets its id later")
    func lockedFirstStart() async throws {
        let (storage, timer) = (LockedStorage([:]), ManualTimer())
        let environment = start(storage: storage, timer: timer)
        environment.tracking.send(.launch)
        _ = await timer.fire { _ in storage.unlock() }
        await open(environment)
        try await environment.tracking.flushToDisk()
        let device = try #require(storage.behind.string(forKey: "device_id"))
        #expect(environment.device.store.state.deviceID == device)
        #expect(try dependencies.strings("user_id") == [device])
    }

    @Test(
        "other storage errors end waits; once the storage can be read, calls wait for the log")
    func brokenStorage() async throws {
        let (storage, timer) = (LockedStorage(Self.lockedValues), ManualTimer())
        storage.fail(with: OpeningFailure())
        let environment = start(storage: storage, timer: timer)
        environment.tracking.send(.launch)
        await environment.tracking.flush()
        await #expect(throws: OpeningFailure.self) { try await environment.tracking.flushToDisk() }
        await #expect(throws: OpeningFailure.self) { try await environment.tracking.close() }
        await #expect(throws: OpeningFailure.self) { try await environment.tracking.setConsent(.granted) }
        await #expect(throws: OpeningFailure.self) {
            try await environment.tracking.send(.launch, reaching: .survivesProcessKill)
        }
        _ = await timer.fire { _ in storage.unlock() }
        let sender = environment.tracking.pipeline.sender
        while sender.state.withLock({ $0.failure }) != nil { await Task.yield() }
        let waiting = Task {
            try await environment.tracking.flushToDisk()
            return dependencies.log.records.count
        }
        gate.open()
        #expect(try await waiting.value == 2)
        #expect(dependencies.diagnostics.withLock { $0 } == ["it cannot be opened"])
    }

    @Test("waits for the device to be unlocked end with a later error")
    func brokenAfterUnlock() async throws {
        let (storage, timer) = (LockedStorage(Self.lockedValues), ManualTimer())
        let environment = start(storage: storage, timer: timer)
        let closing = Task { try await environment.tracking.close() }
        _ = await timer.fire { _ in storage.fail(with: OpeningFailure()) }
        await #expect(throws: OpeningFailure.self) { try await closing.value }
        #expect(dependencies.diagnostics.withLock { $0 } == ["NotUnlocked()", "it cannot be opened"])
    }

    @Test("calls wait for a log that can't be opened before the device is unlocked; drops are stored meanwhile")
    func lockedLog() async throws {
        let (isLocked, timer) = (Locked(true), ManualTimer())
        let environment = TrackingEnvironment<Route>.live(
            opening: { [gate] in
                if isLocked.withLock({ $0 }) {
                    await gate.pass()
                    throw LockedStorage.NotUnlocked()
                }
                return dependencies.log
            },
            storage: dependencies.storage, clock: dependencies.clock, timer: timer, ids: dependencies.ids, sinks: [],
            flushPolicy: .manual, context: nil, maximumHeldBytes: 1000, diagnostics: { dependencies.report($0) })
        for _ in 1...11 { environment.tracking.send(hundredBytes()) }
        gate.open()
        let closing = Task { try await environment.tracking.close() }
        let wait = await timer.fire { _ in
            #expect(dependencies.storage.string(forKey: "unopened_drops")?.contains(#""count":1"#) == true)
            isLocked.withLock { $0 = false }
        }
        #expect(wait == .seconds(1))
        try await closing.value
        #expect(dependencies.log.records.count == 10)
        #expect(dependencies.storage.string(forKey: "unopened_drops") == nil)
    }

    @Test(
        "opening a log is retried with back-off; events wait meanwhile, and the first error is reported"
    )
    func retries() async throws {
        let (timer, sink) = (ManualTimer(), RecordingSink("sink"))
        let failures = Locked(6)
        let environment = start(
            sinks: [sink], error: { failures.withLock { $0 > 0 ? OpeningFailure() : nil } }, timer: timer)
        let receipts = Locked([environment.tracking.send(.launch)])
        gate.open()
        var waits: [Duration] = []
        while failures.withLock({ $0 > 0 }) {
            let wait = await timer.fire { _ in
                receipts.withLock { $0.append(environment.tracking.send(.background)) }
                failures.withLock { $0 -= 1 }
                gate.open()
            }
            waits.append(try #require(wait))
        }
        #expect(waits == [1, 2, 4, 8, 16, 30].map { .seconds($0) })
        #expect(receipts.withLock { $0.allSatisfy { $0?.isPending == true && $0?.seq == nil } })
        while dependencies.log.records.count < 7 { await Task.yield() }
        try await environment.tracking.send(.launch, reaching: .survivesPowerLoss)
        await environment.tracking.flush()
        // A key path would read the optional with overlapping copies in the standard library, an error of AddressSanitizer.
        let ids = receipts.withLock { $0 }.map { $0?.id }
        #expect(dependencies.log.records.map(\.id) == ids + [dependencies.log.records.last?.id])
        #expect(dependencies.log.records.map(\.seq) == Array(1...8))
        #expect(sink.delivered == [Array(1...8)])
        #expect(dependencies.diagnostics.withLock { $0 } == ["it cannot be opened"])
        #expect(try await dependencies.log.ledger() == [])
    }

    @Test("while the log can't be opened, calls that need the disk throw the error")
    func refusals() async throws {
        let timer = ManualTimer()
        let environment = start(error: { OpeningFailure() }, timer: timer)
        let early = Task { try await environment.tracking.send(.launch, reaching: .survivesProcessKill) }
        while environment.tracking.send(.launch)?.isPending != true { await Task.yield() }
        gate.open()
        // Returns, since nothing can be delivered at the moment.
        await environment.tracking.flush()
        await #expect(throws: OpeningFailure.self) { try await early.value }
        await #expect(throws: OpeningFailure.self) {
            try await environment.tracking.send(.launch, reaching: .survivesPowerLoss)
        }
        await #expect(throws: OpeningFailure.self) { try await environment.tracking.flushToDisk() }
        await #expect(throws: OpeningFailure.self) { try await environment.tracking.setConsent(.granted) }
        #expect(environment.tracking.send(.launch)?.isPending == true)
        #expect(dependencies.diagnostics.withLock { $0 } == ["it cannot be opened"])
    }

    @Test("drops of a process whose log never opened are in the next process's ledger")
    func formerDrops() async throws {
        let environment = start(error: { OpeningFailure() }, maximumHeldBytes: 1000)
        for _ in 1...12 { environment.tracking.send(hundredBytes()) }
        await open(environment)
        #expect(environment.tracking.send(search(1)) == nil)
        #expect(
            dependencies.diagnostics.withLock { Set($0) } == [
                "it cannot be opened", "dropped long not-open", "dropped long not-open 1 times",
                "dropped search not-open",
            ])
        // The last one is stored by a task.
        while dependencies.storage.string(forKey: "unopened_drops")?.contains(#""count":3"#) != true {
            await Task.yield()
        }
        let next = start()
        next.tracking.send(.launch)
        await open(next)
        #expect(dependencies.log.records.map(\.seq) == [1])
        #expect(try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" } == ["not-open 3"])
        #expect(dependencies.storage.string(forKey: "unopened_drops") == nil)
    }
}
