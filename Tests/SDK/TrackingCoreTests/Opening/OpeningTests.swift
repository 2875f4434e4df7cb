import EventLog
import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// An environment whose log is opened in the background.
@Suite("Opening the log in the background", .timeLimit(.minutes(5)))
struct OpeningTests: OpeningSuite {
    let dependencies = TestDependencies()
    let gate = OpeningGate()

    @Test(
        "earlier events are held with id and time, then numbered and dispatched in order when the log opens")
    func order() async throws {
        let environment = start()
        let (seen, subscription) = seen(environment)
        // Events of a subscriber follow all held events, like other events sent during the opening.
        let nested = environment.tracking.dispatcher.subscribe { container in
            if container.seq == 1 { environment.tracking.send(.background) }
        }
        for _ in 1...3 {
            #expect(environment.tracking.send(.launch)?.isPending == true)
            dependencies.clock.advance(by: .seconds(1))
        }
        #expect(seen.withLock { $0 } == [])
        #expect(environment.tracking.consent.value == .unknown)
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

    @Test("events sent while the log opens get numbers in the order of their thread")
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

    @Test("events are held up to a limit in bytes; further events are counted in the ledger, with their times")
    func overflow() async throws {
        let environment = start(maximumHeldBytes: 1000)
        for _ in 1...10 { environment.tracking.send(hundredBytes()) }
        for _ in 1...3 {
            dependencies.clock.advance(by: .seconds(1))
            environment.tracking.send(hundredBytes())
        }
        environment.tracking.send(Odd(number: .nan))
        environment.tracking.send(LongEvent(text: String(repeating: "y", count: 40_000)))
        await open(environment)
        #expect(dependencies.log.records.map(\.seq) == Array(1...10))
        #expect(
            try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" } == [
                "encoding 1", "not-open 3", "too-large 1",
            ])
        #expect(
            try await dependencies.log.ledger()[1].times == EventTime(seconds: 1001)...EventTime(seconds: 1003))
        #expect(
            dependencies.diagnostics.withLock { $0 }
                == [
                    "dropped long not-open",
                    "odd at 'number': a number is NaN or infinite; JSON has neither: leave it out or send null",
                    "dropped odd encoding", "dropped long too-large", "dropped long not-open 2 times",
                ])
    }

    @Test("the number of held events without a value is limited, too")
    func overflowWithoutValues() async throws {
        let environment = start(maximumHeldBytes: 80)
        for _ in 1...11 { environment.tracking.send(.launch) }
        await open(environment)
        #expect(dependencies.log.records.map(\.seq) == Array(1...10))
        #expect(try await dependencies.log.ledger().map { "\($0.reason.rawValue) \($0.count)" } == ["not-open 1"])
    }

    @Test("a receipt awaited while the log opens has its number, or is nil after a drop")
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
        async let optOut: Void = refused.tracking.setConsent(.denied)
        while refused.tracking.consent.value != .denied { await Task.yield() }
        await open(refused)
        try await optOut
        #expect(try await dropped == nil)
    }

    @Test("environments of a log share its sinks; a second sink of the same name is reported")
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

    @Test("background time lasts from the start until a background event's flush begins, or the time expires")
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

    @Test("a log that another program locks delays neither the start nor a send")
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
