import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

@Suite("Flushing")
struct FlushingTests {
    let dependencies = TestDependencies()

    private func send(_ count: Int, _ environment: TrackingEnvironment<Route>) {
        for page in 1...count { environment.tracking.send(.search(query: "x", page: page)) }
    }

    @Test("a flush starts at exactly n events, and again after exactly n more")
    func eventCount() async {
        let (starts, continuation) = AsyncStream.makeStream(of: [Int64].self)
        let sink = RecordingSink("sink") { batch in
            continuation.yield(batch.records.map(\.seq))
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let environment = dependencies.start(sinks: [sink], policy: FlushPolicy(eventCount: 3))
        var iterator = starts.makeAsyncIterator()
        send(2, environment)
        #expect(sink.delivered == [])
        send(1, environment)
        #expect(await iterator.next() == [1, 2, 3])
        await environment.tracking.flush()
        send(3, environment)
        #expect(await iterator.next() == [4, 5, 6])
    }

    @Test("a manual flush restarts the count")
    func countAfterFlush() async {
        let sink = FlushCountingSink()
        let environment = dependencies.start(sinks: [sink], policy: FlushPolicy(eventCount: 3))
        send(2, environment)
        await environment.tracking.flush()
        send(1, environment)
        await environment.tracking.flush()
        #expect(sink.flushesAfterTheFirst == 1)
    }

    @Test("a flush ends with the events sent before it, however fast new events arrive")
    func steadyStream() async throws {
        let sent = Locked<TrackingEnvironment<Route>?>(nil)
        let sink = RecordingSink("sink") { batch in
            // Sends one more event for each delivery, up to a number that no flush reaches.
            if batch.records.last?.seq ?? 0 < 100 { sent.withLock { $0 }?.tracking.send(.launch) }
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let environment = dependencies.start(sinks: [sink])
        sent.withLock { $0 = environment }
        send(2, environment)
        await environment.tracking.flush()
        #expect(sink.delivered == [[1, 2]])
        await environment.tracking.flush()
        #expect(sink.delivered == [[1, 2], [3]])
    }

    @Test("without its own duration, a sink is retried after at most 2, 4, 8 … seconds, then from 2 again")
    func backoff() async {
        let answers = Locked(["away", "away", "away", "back", "away", "back"])
        let (delivered, continuation) = AsyncStream.makeStream(of: [Int64].self)
        let sink = RecordingSink("sink") { batch in
            if answers.withLock({ $0.removeFirst() }) == "away" { return .retry(after: nil, reason: "away") }
            continuation.yield(batch.records.map(\.seq))
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let timer = ManualTimer()
        let environment = dependencies.start(sinks: [sink], timer: timer)
        var iterator = delivered.makeAsyncIterator()
        send(2, environment)
        await environment.tracking.flush()
        for seconds in [2, 4, 8] { #expect(await dependencies.pass(timer) == .seconds(seconds)) }
        #expect(await iterator.next() == [1, 2])
        await environment.tracking.flush()
        send(1, environment)
        await environment.tracking.flush()
        #expect(await dependencies.pass(timer) == .seconds(2))
        #expect(await iterator.next() == [3])
    }

    @Test("a sink that delivers nothing is retried later, not immediately and forever")
    func noProgress() async {
        let answers = Locked<[Int64]>([0, 2])
        let (deliveries, continuation) = AsyncStream.makeStream(of: Int.self)
        let sink = RecordingSink("sink") { batch in
            defer { continuation.yield(batch.records.count) }
            return .delivered(through: answers.withLock { $0.removeFirst() }, checkpoint: nil)
        }
        let timer = ManualTimer()
        let environment = dependencies.start(sinks: [sink], timer: timer)
        send(2, environment)
        await environment.tracking.flush()
        #expect(sink.delivered == [[1, 2]])
        #expect(dependencies.diagnostics.withLock { $0 } == ["sink delayed: it delivered no event of a batch"])
        #expect(await dependencies.pass(timer) == .seconds(2))
        var iterator = deliveries.makeAsyncIterator()
        #expect(await iterator.next() == 2)
        #expect(await iterator.next() == 2)
        #expect(sink.delivered == [[1, 2], [1, 2]])
    }

    @Test("background starts a flush if the policy requires it")
    func background() async {
        let (starts, continuation) = AsyncStream.makeStream(of: Int.self)
        let sink = RecordingSink("sink") { batch in
            continuation.yield(batch.records.count)
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let environment = dependencies.start(sinks: [sink], policy: FlushPolicy(onBackground: true))
        environment.tracking.send(.launch)
        environment.tracking.send(.background)
        var iterator = starts.makeAsyncIterator()
        #expect(await iterator.next() == 2)
    }

    @Test("an interval flushes each time its timer fires")
    func interval() async {
        let (starts, continuation) = AsyncStream.makeStream(of: [Int64].self)
        let sink = RecordingSink("sink") { batch in
            continuation.yield(batch.records.map(\.seq))
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let timer = ManualTimer()
        let environment = dependencies.start(sinks: [sink], policy: FlushPolicy(interval: .seconds(30)), timer: timer)
        var iterator = starts.makeAsyncIterator()
        for seq: Int64 in [1, 2] {
            environment.tracking.send(.launch)
            #expect(await timer.fire() == .seconds(30))
            #expect(await iterator.next() == [seq])
        }
    }

    @Test("two simultaneous flushes deliver each event once")
    func twoFlushes() async {
        let sink = RecordingSink("sink")
        let environment = dependencies.start(sinks: [sink])
        send(5, environment)
        async let first: Void = environment.tracking.flush()
        async let second: Void = environment.tracking.flush()
        _ = await (first, second)
        #expect(sink.delivered == [[1, 2, 3, 4, 5]])
    }

    @Test("each sink has its own cursor: an unavailable sink delays no other, and misses nothing")
    func severalSinks() async {
        let isAway = Locked(true)
        let good = RecordingSink("good")
        let flaky = RecordingSink("flaky") { batch in
            isAway.withLock { $0 }
                ? .retry(after: .seconds(86_400), reason: "away")
                : .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let environment = dependencies.start(sinks: [good, flaky], timer: ManualTimer())
        send(2, environment)
        await environment.tracking.flush()
        isAway.withLock { $0 = false }
        send(1, environment)
        // A day that the server has requested also applies to a manual flush.
        await environment.tracking.flush()
        #expect(flaky.delivered == [[1, 2]])
        dependencies.clock.advance(by: .seconds(86_400))
        await environment.tracking.flush()
        #expect(good.delivered == [[1, 2], [3]])
        // A retry is the same batch.
        #expect(flaky.delivered == [[1, 2], [1, 2], [3]])
        #expect(dependencies.diagnostics.withLock { $0 } == ["flaky delayed: away"])
    }

    @Test("a poison event is found by halving, skipped alone, and counted; all other events arrive")
    func poison() async throws {
        let arrived = Locked<[Int64]>([])
        let sink = RecordingSink("sink") { batch in
            let seqs = batch.records.map(\.seq)
            if seqs.contains(6) { return .rejected(reason: "poison") }
            arrived.withLock { $0 += seqs }
            return .delivered(through: seqs.last ?? 0, checkpoint: nil)
        }
        let environment = dependencies.start(sinks: [sink])
        send(10, environment)
        await environment.tracking.flush()
        await environment.tracking.flush()
        #expect(arrived.withLock { $0 } == [1, 2, 3, 4, 5, 7, 8, 9, 10])
        #expect(
            try await dependencies.log.ledger() == [
                LedgerEntry(reason: .refused, consumer: "sink", count: 1, seqs: 6...6)
            ])
        #expect(dependencies.diagnostics.withLock { $0 } == ["sink refused 6...6: poison"])
    }

    @Test("a batch may be delivered in part; the rest has the checkpoint")
    func partialDelivery() async {
        let checkpoints = Locked<[String?]>([])
        let sink = RecordingSink("sink") { batch in
            checkpoints.withLock { $0.append(batch.checkpoint) }
            let seq = batch.records[min(1, batch.records.count - 1)].seq
            return .delivered(through: seq, checkpoint: "at \(seq)")
        }
        let environment = dependencies.start(sinks: [sink])
        send(5, environment)
        await environment.tracking.flush()
        #expect(sink.delivered == [[1, 2, 3, 4, 5], [3, 4, 5], [5]])
        #expect(checkpoints.withLock { $0 } == [nil, "at 2", "at 4"])
    }

    @Test("a batch holds at most 2,500 events and 500,000 bytes")
    func batchLimits() async {
        let sizes = Locked<[Int]>([])
        let sink = RecordingSink("sink") { batch in
            sizes.withLock { $0.append(batch.records.reduce(0) { $0 + $1.line.count + 1 }) }
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let environment = dependencies.start(sinks: [sink], limit: nil)
        send(2_600, environment)
        environment.tracking.send(.search(query: String(repeating: "y", count: 30_000), page: 1))
        await environment.tracking.flush()
        #expect(sizes.withLock { $0 }.allSatisfy { $0 <= EventBatch.maximumBytes })
        #expect(sink.delivered.allSatisfy { $0.count <= EventBatch.maximumCount })
        #expect(sink.delivered.flatMap { $0 } == Array(1...2_601))
        #expect(sizes.withLock { $0.count } == 2)
    }
}

/// Counts the flushes after the first: the flusher requests the loss at the start of each.
private final class FlushCountingSink: Sink {
    let name = "counting"
    private let count = Locked(0)

    var flushesAfterTheFirst: Int { count.withLock { $0 } }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        .delivered(through: batch.records.last?.seq ?? 0, checkpoint: "x")
    }

    func loss(since checkpoint: String) async -> SinkLoss? {
        count.withLock { $0 += 1 }
        return nil
    }
}
