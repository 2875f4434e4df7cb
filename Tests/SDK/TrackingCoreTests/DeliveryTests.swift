import EventModel
import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

/// Deliveries: sealed batches, results for each event, pauses, one engine per log.
@Suite("Delivery", .timeLimit(.minutes(10)))
struct DeliveryTests {
    let dependencies = TestDependencies()

    private func send(_ count: Int, _ environment: TrackingEnvironment<Route>) {
        for page in 1...count { environment.tracking.send(.search(query: "x", page: page)) }
    }

    /// Answers each batch, and records it.
    private final class Batches: Sink {
        let name: String
        private let answer: @Sendable (EventBatch) async -> DeliveryResult
        private let batches = Locked<[EventBatch]>([])

        init(_ name: String = "sink", answer: @escaping @Sendable (EventBatch) async -> DeliveryResult) {
            self.name = name
            self.answer = answer
        }

        var all: [EventBatch] { batches.withLock { $0 } }

        func deliver(_ batch: EventBatch) async -> DeliveryResult {
            batches.withLock { $0.append(batch) }
            return await answer(batch)
        }
    }

    private static func accept(_ batch: EventBatch) -> DeliveryResult {
        .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
    }

    @Test("a retry is the same batch, even after new events and a restart; new events are in the next batch")
    func sealed() async {
        let isAway = Locked(true)
        let sink = Batches { isAway.withLock { $0 } ? .retry(after: nil, reason: "away") : Self.accept($0) }
        var environment: TrackingEnvironment<Route>? = dependencies.start(sinks: [sink], timer: ManualTimer())
        send(3, environment ?? dependencies.start())
        await environment?.tracking.flush()
        environment = nil
        let next = dependencies.start(sinks: [sink], timer: ManualTimer())
        send(2, next)
        await next.tracking.flush()
        isAway.withLock { $0 = false }
        await next.tracking.flush()
        let batches = sink.all
        #expect(batches.map { $0.records.map(\.seq) } == [[1, 2, 3], [1, 2, 3], [1, 2, 3], [4, 5]])
        #expect(Set(batches.prefix(3).map(\.id)).count == 1)
        #expect(Set(batches.prefix(3).map(\.checksum)).count == 1)
        #expect(batches.map(\.attempt) == [1, 2, 3, 1])
        #expect(batches[3].id != batches[0].id && batches[3].seqs == 4...5)
    }

    @Test("after a fork, the same events are delivered under a new install, followed by new events")
    func fork() async throws {
        let sink = Batches { batch in
            batch.generation == 1 ? .newGeneration(acknowledged: [1...1], reason: "fork") : Self.accept(batch)
        }
        let environment = dependencies.start(sinks: [sink], timer: ManualTimer())
        send(3, environment)
        await environment.tracking.flush()
        send(2, environment)
        await environment.tracking.flush()
        let batches = sink.all
        #expect(batches.map(\.seqs) == [1...3, 1...2, 3...4])
        #expect(batches[1].records.map(\.id) == batches[0].records.dropFirst().map(\.id))
        let lines = try batches.flatMap(\.records).map { try RecordedContainer(line: $0.line) }
        #expect(lines.map(\.seq) == [1, 2, 3, 1, 2, 3, 4])
        let install = dependencies.log.installID
        #expect(lines.map(\.installID) == Array(repeating: "install", count: 3) + Array(repeating: install, count: 4))
        #expect(install != "install")
        #expect(dependencies.diagnostics.withLock { $0 } == ["sink delayed: fork; the log continues as a new install"])
    }

    @Test("void batches are redelivered under another id: first immediately, later after a pause")
    func void() async {
        let isBroken = Locked(true)
        let sink = Batches { isBroken.withLock { $0 } ? .void(reason: "key reused") : Self.accept($0) }
        let environment = dependencies.start(sinks: [sink], policy: FlushPolicy(eventCount: 1), timer: ManualTimer())
        send(1, environment)
        await environment.tracking.flush()
        let ids = sink.all.map(\.id)
        #expect(ids.count == Set(ids).count && ids.count >= 2)
        isBroken.withLock { $0 = false }
        await environment.tracking.flush()
        #expect(sink.all.last?.records.map(\.seq) == [1])
    }

    @Test("no trigger shortens a server's pause, and one delivery follows it")
    func serversPause() async {
        let answers = Locked(1)
        let sink = Batches { batch in
            answers.withLock { count in
                defer { count -= 1 }
                return count > 0
            } ? .retry(after: .seconds(100), reason: "busy") : Self.accept(batch)
        }
        let timer = ManualTimer()
        let environment = dependencies.start(sinks: [sink], policy: FlushPolicy(eventCount: 1), timer: timer)
        for _ in 1...50 {
            send(1, environment)
            await environment.tracking.flush()
        }
        #expect(sink.all.count == 1)
        #expect(await dependencies.pass(timer) == .seconds(100))
        await environment.tracking.flush()
        #expect(sink.all.flatMap(\.records).map(\.seq) == [1] + Array(1...50))
    }

    @Test("a pause survives a restart, and restarts if the clock was set back")
    func storedPause() async {
        let sink = Batches { _ in .retry(after: .seconds(100), reason: "busy") }
        send(1, dependencies.start())
        await dependencies.start(sinks: [sink], timer: ManualTimer()).tracking.flush()
        dependencies.clock.advance(by: .seconds(99))
        await dependencies.start(sinks: [sink], timer: ManualTimer()).tracking.flush()
        #expect(sink.all.count == 1)
        dependencies.clock.advance(by: .seconds(-5000))
        await dependencies.start(sinks: [sink], timer: ManualTimer()).tracking.flush()
        #expect(sink.all.count == 1)
        dependencies.clock.advance(by: .seconds(5001))
        await dependencies.start(sinks: [sink], timer: ManualTimer()).tracking.flush()
        #expect(sink.all.count == 2)
    }

    @Test("a hanging sink delays neither other sinks nor pruning, and is not called again before it returns")
    func hanging() async throws {
        // Can't be canceled, like a call into a library without task support.
        let waiting = Locked<CheckedContinuation<Void, Never>?>(nil)
        let isFirst = Locked(true)
        let hanging = Batches("hanging") { batch in
            let waits = isFirst.withLock { isFirst in
                defer { isFirst = false }
                return isFirst
            }
            if waits { await withCheckedContinuation { continuation in waiting.withLock { $0 = continuation } } }
            return Self.accept(batch)
        }
        let good = Batches("good") { Self.accept($0) }
        let policy = FlushPolicy(deadline: .seconds(1))
        let environment = dependencies.start(sinks: [hanging, good], policy: policy, timer: ManualTimer())
        for _ in 1...3 {
            send(1, environment)
            await environment.tracking.flush()
        }
        #expect(good.all.flatMap(\.records).map(\.seq) == [1, 2, 3])
        #expect(hanging.all.count == 1)
        // Its late answer has no effect; then it is called again.
        #expect(try await dependencies.log.cursor(of: "hanging").acknowledged == 0)
        waiting.withLock { $0 }?.resume()
        while hanging.all.count < 4 {
            await Task.yield()
            await environment.tracking.flush()
        }
        #expect(hanging.all.map { $0.records.map(\.seq) } == [[1], [1], [2], [3]])
    }

    @Test("environments of a log share a sink object; another sink with the same name is rejected")
    func oneEngine() async throws {
        let sink = Batches { Self.accept($0) }
        let environments = [dependencies.start(sinks: [sink]), dependencies.start(sinks: [sink])]
        send(5, environments[0])
        async let first: Void = environments[0].tracking.flush()
        async let second: Void = environments[1].tracking.flush()
        _ = await (first, second)
        #expect(sink.all.map { $0.records.map(\.seq) } == [[1, 2, 3, 4, 5]])
        #expect(throws: SinkConflict.self) {
            try TrackingEnvironment<Route>.live(
                log: dependencies.log, storage: dependencies.storage, clock: dependencies.clock, timer: ManualTimer(),
                ids: dependencies.ids,
                sinks: [Batches { Self.accept($0) }], context: nil, diagnostics: { _ in })
        }
    }

    @Test("a sink that names the failing events gets no other event twice")
    func judged() async throws {
        let isFirst = Locked(true)
        let sink = Batches { batch in
            guard
                isFirst.withLock({ isFirst in
                    defer { isFirst = false }
                    return isFirst
                })
            else { return Self.accept(batch) }
            return .judged(
                [2: .refused(reason: "no", location: "/event"), 4: .retry(reason: "later")], checkpoint: "c")
        }
        let environment = dependencies.start(sinks: [sink], timer: ManualTimer())
        send(5, environment)
        await environment.tracking.flush()
        #expect(
            try await dependencies.log.cursor(of: "sink")
                == ConsumerCursor(consumer: "sink", acknowledged: 5, checkpoint: "c"))
        send(1, environment)
        await environment.tracking.flush()
        #expect(sink.all.map { $0.records.map(\.seq) } == [[1, 2, 3, 4, 5], [4], [6]])
        #expect(
            try await dependencies.log.ledger() == [
                LedgerEntry(reason: .refused, consumer: "sink", count: 1, seqs: 2...2)
            ])
        #expect(
            dependencies.diagnostics.withLock { $0 } == ["sink refused 2...2: no (at /event)", "sink delayed: later"])
    }

    @Test(
        "finding an unnamed failing event takes at most 2 log2 n deliveries", arguments: [1, 1250, 1251, 2500])
    func halving(poison: Int64) async throws {
        let sink = Batches { batch in
            batch.records.contains { $0.seq == poison } ? .rejected(reason: "no") : Self.accept(batch)
        }
        let environment = dependencies.start(sinks: [sink], limit: nil)
        send(2500, environment)
        await environment.tracking.flush()
        let accepted = sink.all.filter { !$0.records.contains { $0.seq == poison } }.flatMap(\.records).map(\.seq)
        #expect(accepted == (1...2500).filter { $0 != poison })
        // The first delivery also happens without a failing event.
        #expect(sink.all.count - 1 <= 22)
        #expect(Set(sink.all.map(\.id)).count == sink.all.count)
        #expect(try await dependencies.log.ledger().map(\.seqs) == [poison...poison])
    }

    @Test(
        "after a halt, which is reported once, nothing is tried for an hour; then a manual flush tries a single event")
    func halt() async {
        let isHalted = Locked(true)
        let sink = Batches { isHalted.withLock { $0 } ? .halt(reason: "wrong key") : Self.accept($0) }
        let environment = dependencies.start(
            sinks: [sink], policy: FlushPolicy(onBackground: true), timer: ManualTimer())
        send(2, environment)
        await environment.tracking.flush()
        dependencies.clock.advance(by: .seconds(3599))
        await environment.tracking.flush()
        #expect(sink.all.count == 1)
        dependencies.clock.advance(by: .seconds(1))
        await environment.tracking.flush()
        #expect(dependencies.diagnostics.withLock { $0 } == ["sink halted: wrong key"])
        isHalted.withLock { $0 = false }
        dependencies.clock.advance(by: .seconds(3600))
        await environment.tracking.flush()
        #expect(sink.all.map { $0.records.map(\.seq) } == [[1, 2], [1], [1], [2]])
    }

    @Test(
        "a batch with an event of a user who has opted out is abandoned, and the rest gets another id, with the reason")
    func voided() async throws {
        let isAway = Locked(true)
        let sink = Batches { isAway.withLock { $0 } ? .retry(after: nil, reason: "away") : Self.accept($0) }
        let environment = dependencies.start(sinks: [sink], timer: ManualTimer())
        environment.tracking.identify("ada")
        send(1, environment)
        environment.tracking.identify("bob")
        send(1, environment)
        await environment.tracking.flush()
        try await dependencies.log.setConsent(.denied, of: ["ada"])
        isAway.withLock { $0 = false }
        await environment.tracking.flush()
        #expect(sink.all.map { $0.records.map(\.seq) } == [[1, 2], [2]])
        #expect(sink.all[0].id != sink.all[1].id)
        #expect(sink.all[1].seqs == 1...2 && sink.all[1].missing.map(\.reason) == [.optedOut])
    }

    /// A log in which someone denies consent while a batch is being made.
    private struct LateDenial: ForwardingEventStore {
        let next: any EventStore
        let denial: Locked<ConsentChange?>

        func append(
            lineCapacity: Int, priority: EventPriority,
            _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
        ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, priority: priority, fill) }

        func nextBatch(_ lease: DeliveryLease, through end: Int64, lasting: Duration) async throws -> EventBatch? {
            let batch = try await next.nextBatch(lease, through: end, lasting: lasting)
            let denial = denial.withLock { denial in
                defer { denial = nil }
                return denial
            }
            if let denial { _ = next.noteConsent(denial) }
            return batch
        }
    }

    @Test("a batch whose person denies consent before it is delivered is made again")
    func lateDenial() async throws {
        let answer = ConsentAnswer(.denied, people: ["ada"], time: EventTime(seconds: 1))
        let log = LateDenial(next: dependencies.log, denial: Locked(.answer(answer)))
        let sink = Batches(answer: Self.accept)
        let flusher = try EventFlusher(
            log: log, sinks: [sink], policy: .manual, clock: dependencies.clock, timer: ContinuousClock(),
            diagnostics: { _ in }, jitter: { $0 })
        for user in ["ada", "bob"] { dependencies.log.append(user: user) }
        await flusher.flush()
        #expect(sink.all.map { $0.records.map(\.seq) } == [[2]])
    }
}
