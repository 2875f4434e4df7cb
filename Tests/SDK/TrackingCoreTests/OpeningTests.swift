import EventLog
import Foundation
import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// An environment whose log is opened in the background.
@Suite("Opening the log in the background", .timeLimit(.minutes(5)))
struct OpeningTests {
    let dependencies = TestDependencies()
    let gate = Gate()

    /// Keeps the opening waiting.
    final class Gate: Sendable {
        private let stream = AsyncStream.makeStream(of: Void.self)
        func open() { stream.continuation.yield() }
        func pass() async { for await _ in stream.stream { return } }
    }

    /// An event without limits.
    struct Long: TrackingEvent {
        static let name = "long"
        let text: String
    }

    struct Failure: Error, CustomStringConvertible {
        var description: String { "it cannot be opened" }
    }

    private func start(
        _ log: (any EventStore)? = nil, sinks: [any Sink] = [], policy: FlushPolicy = .manual,
        limit: SendingLimit? = .standard, consent: ConsentPolicy = .assumed,
        time: any BackgroundTime = .system, error: @escaping @Sendable () -> Failure? = { nil },
        storage: (any KeyValueStorage)? = nil,
        timer: ManualTimer = ManualTimer()
    ) -> TrackingEnvironment<Route> {
        .live(
            opening: { [gate] in
                await gate.pass()
                if let error = error() { throw error }
                return log ?? dependencies.log
            },
            storage: storage ?? dependencies.storage, clock: dependencies.clock, timer: timer, ids: dependencies.ids,
            sinks: sinks,
            flushPolicy: policy, sendingLimit: limit, consent: consent, context: nil, backgroundTime: time,
            diagnostics: { dependencies.report($0) })
    }

    private func search(_ page: Int) -> Search { Search(query: "x", page: page) }

    /// Opens the log, and returns when what was held is in it.
    private func open(_ environment: TrackingEnvironment<Route>) async {
        gate.open()
        await environment.tracking.flush()
    }

    private func seen(_ environment: TrackingEnvironment<Route>) -> (Locked<[String]>, FluxSubscription) {
        let seen = Locked<[String]>([])
        let subscription = environment.tracking.dispatcher.subscribe { container in
            seen.withLock { $0.append("\(container.seq) \(type(of: container.event).name)") }
        }
        return (seen, subscription)
    }

    @Test(
        "events that are sent before are held with id and time, numbered in order at the opening, and dispatched then")
    func order() async throws {
        let environment = start()
        let (seen, subscription) = seen(environment)
        // What a subscriber sends comes after all that was held, like anything else that is sent during the opening.
        let nested = environment.tracking.dispatcher.subscribe { container in
            if container.seq == 1 { environment.tracking.send(.background) }
        }
        for _ in 1...3 {
            #expect(environment.tracking.send(.launch)?.isPending == true)
            dependencies.clock.advance(by: .seconds(1))
        }
        #expect(seen.withLock { $0 } == [])
        #expect(environment.tracking.consent == .unknown)
        await open(environment)
        #expect(seen.withLock { $0 } == ["1 launch", "2 launch", "3 launch", "4 background"])
        let receipt = try #require(environment.tracking.send(.launch))
        #expect(receipt.seq == 5)
        #expect(
            dependencies.log.records.map(\.time.microseconds) == [1000, 1001, 1002, 1003, 1003].map { $0 * 1_000_000 })
        let ids = dependencies.log.records.map(\.id.description)
        #expect(ids == ids.sorted())
        #expect(try await dependencies.log.ledger() == [])
        #expect(dependencies.diagnostics.withLock { $0 } == [])
        #expect(environment.tracking.store.state.counts == ["launch": 4, "background": 1])
        withExtendedLifetime((subscription, nested)) {}
    }

    private static let lockedValues = ["device_id": "device", "user_id": "ada"]

    @Test("while the storage can't be read, events wait for their user; no device id is made, and nothing is stored")
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
        #expect(try dependencies.strings("user_id") == ["ada", "bob"])
        #expect(environment.device.store.state.deviceID == "device")
        #expect(storage.behind.string(forKey: "device_id") == "device")
        #expect(storage.behind.string(forKey: "user_id") == "bob")
        for user in ["ada", "bob", "device"] { #expect(dependencies.log.consent(of: user) == .unknown) }
        #expect(dependencies.diagnostics.withLock { $0 } == ["NotUnlocked()"])
    }

    @Test("an opt-out in storage that can't be read yet holds for what waited")
    func lockedOptOut() async throws {
        let values = Self.lockedValues.merging(["opted_out": "true"]) { $1 }
        let (storage, timer) = (LockedStorage(values), ManualTimer())
        let environment = start(storage: storage, timer: timer)
        for _ in 1...2 { environment.tracking.send(.launch) }
        _ = await timer.fire { _ in storage.unlock() }
        await open(environment)
        #expect(dependencies.log.records.isEmpty)
        #expect(try await dependencies.log.ledger().map(\.reason) == [.optedOut])
        #expect(dependencies.log.consent(of: "ada") == .denied && environment.tracking.isOptedOut)
        #expect(storage.behind.string(forKey: "opted_out") == nil)
    }

    @Test("on a first start that can't be stored yet, the device gets its id when it can")
    func lockedFirstStart() async throws {
        let (storage, timer) = (LockedStorage([:]), ManualTimer())
        let environment = start(storage: storage, timer: timer)
        environment.tracking.send(.launch)
        _ = await timer.fire { _ in storage.unlock() }
        await open(environment)
        let device = try #require(storage.behind.string(forKey: "device_id"))
        #expect(environment.device.store.state.deviceID == device)
        #expect(try dependencies.strings("user_id") == [device])
    }

    @Test("no event that is sent while the log opens is numbered before one that its thread has sent earlier")
    func threads() async throws {
        let environment = start(limit: nil)
        let pages = Locked<[Int]>([])
        let subscription = environment.tracking.dispatcher.subscribe { container in
            if let event = container.event as? Search { pages.withLock { $0.append(event.page) } }
        }
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for page in 1...200 {
                        if thread == 0, page == 100 { gate.open() }
                        environment.tracking.send(search(thread * 1000 + page))
                    }
                }
            }
        }
        await environment.tracking.flush()
        let all = pages.withLock { $0 }
        #expect(all.count == 800)
        for thread in 0..<4 { #expect(all.filter { $0 / 1000 == thread } == (1...200).map { thread * 1000 + $0 }) }
        #expect(dependencies.log.records.map(\.seq) == Array(1...800))
        withExtendedLifetime(subscription) {}
    }

    @Test("1,000 events are held; what comes past that is counted in the ledger, with its times")
    func overflow() async throws {
        let environment = start(limit: nil)
        for page in 1...1000 { environment.tracking.send(search(page)) }
        for second in 1...3 {
            dependencies.clock.advance(by: .seconds(1))
            environment.tracking.send(search(1000 + second))
        }
        environment.tracking.send(Odd(number: .nan))
        environment.tracking.send(Long(text: String(repeating: "y", count: 40_000)))
        await open(environment)
        #expect(dependencies.log.records.map(\.seq) == Array(1...1000))
        #expect(
            try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" } == [
                "encoding 1", "not-open 3", "too-large 1",
            ])
        #expect(
            try await dependencies.log.ledger()[1].times == EventTime(seconds: 1001)...EventTime(seconds: 1003))
        #expect(
            dependencies.diagnostics.withLock { $0 }
                == Array(repeating: "dropped search not-open", count: 3) + [
                    "odd at 'number': a number is NaN or infinite; JSON has neither: leave it out or send null",
                    "dropped odd encoding", "dropped long too-large",
                ])
    }

    @Test(
        "a log that can't be opened is tried again with back-off; events wait meanwhile, and the first error is reported"
    )
    func retries() async throws {
        let (timer, sink) = (ManualTimer(), RecordingSink("sink"))
        let failures = Locked(6)
        let environment = start(sinks: [sink], error: { failures.withLock { $0 > 0 ? Failure() : nil } }, timer: timer)
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
        #expect(
            dependencies.log.records.map(\.id) == receipts.withLock { $0 }.map(\.?.id) + [
                dependencies.log.records.last?.id
            ])
        #expect(dependencies.log.records.map(\.seq) == Array(1...8))
        #expect(sink.delivered == [Array(1...8)])
        #expect(dependencies.diagnostics.withLock { $0 } == ["it cannot be opened"])
        #expect(try await dependencies.log.ledger() == [])
    }

    @Test("while the log can't be opened, whoever asks for more than a place in memory is told why")
    func refusals() async throws {
        let timer = ManualTimer()
        let environment = start(error: { Failure() }, timer: timer)
        let early = Task { try await environment.tracking.send(.launch, reaching: .survivesProcessKill) }
        while environment.tracking.send(.launch)?.isPending != true { await Task.yield() }
        gate.open()
        // Returns, for nothing can be delivered at the moment.
        await environment.tracking.flush()
        await #expect(throws: Failure.self) { try await early.value }
        await #expect(throws: Failure.self) {
            try await environment.tracking.send(.launch, reaching: .survivesPowerLoss)
        }
        await #expect(throws: Failure.self) { try await environment.tracking.flushToDisk() }
        await #expect(throws: Failure.self) { try await environment.tracking.setOptedOut(false) }
        #expect(environment.tracking.send(.launch)?.isPending == true)
        #expect(dependencies.diagnostics.withLock { $0 } == ["it cannot be opened"])
    }

    @Test("a receipt that is awaited while the log opens has its number; nil if the event was dropped meanwhile")
    func awaitedReceipt() async throws {
        let environment = start()
        environment.tracking.send(.launch)
        async let second = environment.tracking.send(.background, reaching: .survivesProcessKill)
        await open(environment)
        let receipt = try #require(try await second)
        #expect(receipt.seq == 2 && receipt.durability >= .survivesProcessKill)
        #expect(dependencies.log.records.map(\.id).last == receipt.id)

        let refused = start()
        async let dropped = refused.tracking.send(.background, reaching: .survivesProcessKill)
        async let optOut: Void = refused.tracking.setOptedOut(true)
        while !refused.tracking.isOptedOut { await Task.yield() }
        await open(refused)
        try await optOut
        #expect(try await dropped == nil)
    }

    @Test("drops of a process whose log was never opened are in the ledger of the next")
    func formerDrops() async throws {
        let environment = start(limit: nil, error: { Failure() })
        for page in 1...1002 { environment.tracking.send(search(page)) }
        await open(environment)
        #expect(environment.tracking.send(.background) == nil)
        #expect(
            dependencies.diagnostics.withLock { Set($0) } == [
                "it cannot be opened", "dropped search not-open", "dropped background not-open",
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

    @Test("each event that is held keeps the user of its time; a reset starts another session")
    func users() async throws {
        let environment = start()
        environment.tracking.send(.launch)
        environment.tracking.identify("anna")
        environment.tracking.send(.launch)
        environment.tracking.reset()
        environment.tracking.send(.launch)
        await open(environment)
        environment.tracking.send(.launch)
        let users = try dependencies.strings("user_id")
        #expect(users[1] == "anna")
        #expect(users[2] == users[3])
        #expect(Set(users).count == 3)
        let sessions = try dependencies.strings("session_id")
        #expect(sessions[0] == sessions[1])
        #expect(sessions[2] == sessions[3])
        #expect(Set(sessions).count == 2)
    }

    @Test("the session of the log's newest event goes on")
    func session() async throws {
        dependencies.start().tracking.send(.launch)
        dependencies.clock.advance(by: .seconds(60))
        let environment = start()
        environment.tracking.send(.launch)
        await open(environment)
        #expect(Set(try dependencies.strings("session_id")).count == 1)
        #expect(dependencies.log.records.map(\.seq) == [1, 2])
    }

    @Test("a reset before the opening ends the session that would have gone on")
    func resetSession() async throws {
        dependencies.start().tracking.send(.launch)
        let environment = start()
        environment.tracking.reset()
        await open(environment)
        environment.tracking.send(.launch)
        #expect(Set(try dependencies.strings("session_id")).count == 2)
        let ended = try dependencies.strings("session_id")[0]
        #expect(dependencies.storage.string(forKey: "ended_session") == ended)
    }

    @Test("an opt-out removes what is held, and is stored when the log is open")
    func optOut() async throws {
        let environment = start()
        environment.tracking.send(.launch)
        async let optOut: Void = environment.tracking.setOptedOut(true)
        while !environment.tracking.isOptedOut { await Task.yield() }
        environment.tracking.send(.background)
        await open(environment)
        try await optOut
        #expect(dependencies.log.records == [])
        #expect(try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" } == ["opted-out 2"])
        #expect(environment.tracking.consent == .denied)
    }

    @Test("what is held is dropped if the log knows that its user has opted out")
    func knownOptOut() async throws {
        let before = dependencies.start()
        before.tracking.identify("anna")
        try await before.tracking.setOptedOut(true)
        let environment = start()
        #expect(environment.tracking.send(.launch)?.isPending == true)
        environment.tracking.identify("bert")
        environment.tracking.send(.launch)
        await open(environment)
        #expect(try dependencies.strings("user_id") == [])
        #expect(try await dependencies.log.ledger().map(\.reason) == [.optedOut])
        #expect(environment.tracking.isOptedOut, "who refused as anna has refused as bert")
    }

    @Test("with consent required nothing that was held is delivered before the user agrees")
    func requiredConsent() async throws {
        let sink = RecordingSink("sink")
        let environment = start(sinks: [sink], consent: .required)
        environment.tracking.send(.launch)
        environment.tracking.identify("anna")
        environment.tracking.send(.launch)
        await open(environment)
        #expect(dependencies.log.records.map(\.seq) == [1, 2])
        #expect(sink.delivered == [])
        #expect(environment.tracking.consent == .unknown)
        try await environment.tracking.setOptedOut(false)
        await environment.tracking.flush()
        #expect(sink.delivered == [[1, 2]])
    }

    @Test("with consent required, the events of each user who was there before the opening wait")
    func requiredConsentOfFormerUsers() async throws {
        dependencies.storage.set("anna", forKey: "user_id")
        let sink = RecordingSink("sink")
        let environment = start(sinks: [sink], consent: .required)
        environment.tracking.send(.launch)
        environment.tracking.identify("bert")
        environment.tracking.send(.launch)
        environment.tracking.reset()
        environment.tracking.send(.launch)
        await open(environment)
        #expect(Set(try dependencies.strings("user_id")).count == 3)
        #expect(sink.delivered == [])
        try await environment.tracking.setOptedOut(false)
        await environment.tracking.flush()
        #expect(sink.delivered == [[3]])
    }

    @Test("environments of one log share its sinks; a second sink of the same name is reported")
    func engine() async {
        let sink = RecordingSink("sink")
        let first = dependencies.start(sinks: [sink])
        let second = start(sinks: [RecordingSink("sink")])
        second.tracking.send(.launch)
        await open(second)
        #expect(dependencies.diagnostics.withLock { $0.count } == 1)
        let third = start(sinks: [sink])
        third.tracking.send(.launch)
        await open(third)
        #expect(sink.delivered == [[1, 2]])
        #expect(dependencies.diagnostics.withLock { $0.count } == 1)
        withExtendedLifetime(first) {}
    }

    @Test("background time is held from the start until a background event's flush is begun, or the time expires")
    func background() async throws {
        let time = BackgroundTimeDouble()
        let sink = RecordingSink("sink")
        let environment = start(sinks: [sink], policy: FlushPolicy(onBackground: true), time: time)
        #expect(time.held == ["Opening the event log"])
        environment.tracking.send(.background)
        gate.open()
        await time.awaitEnd()
        await environment.tracking.flush()
        #expect(sink.delivered == [[1]])
        let late = start(time: time)
        #expect(time.held == ["Opening the event log"])
        time.enterBackground(for: .seconds(30))
        time.advance(by: .seconds(30))
        #expect(time.held == [])
        late.tracking.send(.launch)
        await open(late)
        #expect(dependencies.log.records.map(\.seq) == [1, 2])
    }

    @Test("a log in a file that another program keeps locked holds back neither the start nor a send")
    func locked() async throws {
        let folder = try LogFolder()
        try await folder.open().close()
        let control = try JournalControl.openLocked(folder: folder.journal, timeout: .zero).0
        let environment = TrackingEnvironment<Route>.live(
            opening: {
                try await SQLiteEventStore.open(
                    path: folder.path, options: .init(installID: { "install" }, busyTimeout: .seconds(600)))
            },
            storage: dependencies.storage, clock: dependencies.clock, timer: ManualTimer(), ids: dependencies.ids,
            sinks: [],
            flushPolicy: .manual, context: nil, diagnostics: { dependencies.report($0) })
        #expect(environment.tracking.send(.launch)?.isPending == true)
        control.unlock()
        await environment.tracking.flush()
        let receipt = try #require(environment.tracking.send(.launch))
        #expect((receipt.seq, receipt.durability) == (2, .survivesProcessKill))
    }
}
