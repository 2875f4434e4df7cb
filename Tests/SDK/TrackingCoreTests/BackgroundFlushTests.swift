import EventLog
import LogFixtures
import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents

/// A flush while the system is about to suspend the app.
@Suite("Flushing in the background", .timeLimit(.minutes(5)))
struct BackgroundFlushTests {
    let folder: LogFolder
    let time = BackgroundTimeDouble()
    let dependencies = TestDependencies()

    init() throws { folder = try LogFolder() }

    private func start(
        _ log: any EventStore, _ sink: any Sink, policy: FlushPolicy = .manual
    ) throws -> TrackingEnvironment<Route> {
        let report: @Sendable (TrackingDiagnostic) -> Void = { dependencies.report($0) }
        let flusher = try EventFlusher(
            log: log, sinks: [sink], policy: policy, clock: dependencies.clock, timer: ManualTimer(),
            diagnostics: report,
            jitter: { $0 })
        return try .live(
            log: log, storage: dependencies.storage, clock: dependencies.clock, ids: dependencies.ids, flusher: flusher,
            context: nil,
            diagnostics: report)
    }

    @Test("a background event has background time before send returns, until everything is delivered")
    func background() async throws {
        // In memory: only a flush requests background time.
        let log = TimedLog(next: dependencies.log, backgroundTime: time)
        let held = Locked<[String]>([])
        let sink = RecordingSink("sink") { [time] batch in
            held.withLock { $0 = time.held }
            return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
        }
        let environment = try start(log, sink, policy: FlushPolicy(onBackground: true))
        environment.tracking.send(.launch)
        #expect(time.begun == [])
        environment.tracking.send(.background)
        #expect(time.begun.first == "Delivering tracked events")
        await time.awaitEnd()
        #expect(sink.delivered == [[1, 2]])
        #expect(Set(held.withLock { $0 }) == ["Delivering tracked events"])
    }

    @Test(
        "when the time expires, the delivery is canceled; the next flush delivers the same batch, and no event twice")
    func expiry() async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time))
        let sink = CancellableSink()
        let environment = try start(store, sink)
        for page in 1...3 { environment.tracking.send(.search(query: "x", page: page)) }
        time.enterBackground(for: .seconds(30))
        async let flush: Void = environment.tracking.flush()
        await sink.awaitDelivery()
        time.advance(by: .seconds(30))
        await flush
        await time.awaitEnd()
        #expect(time.held == [])
        // A late response neither counts for the back-off nor settles anything.
        await sink.awaitAnswer()
        time.becomeActive()
        #expect(try await store.cursor(of: "sink").acknowledged == 0)
        #expect(
            dependencies.diagnostics.withLock { $0 } == [
                "cannot use the sink \"sink\": the app's background time has ended; try again when the app is active"
            ])
        // The task may not have returned yet.
        while try await store.cursor(of: "sink").acknowledged < 3 { await environment.tracking.flush() }
        #expect(sink.deliveries == [[1, 2, 3], [1, 2, 3]])
        #expect(sink.ids.count == 2)
        #expect(Set(sink.ids).count == 1)
    }

    @Test("a flush without background time delivers nothing and loses nothing")
    func refused() async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time))
        let sink = RecordingSink("sink")
        let environment = try start(store, sink)
        time.enterBackground(for: .zero)
        environment.tracking.send(.launch)
        await environment.tracking.flush()
        #expect(sink.delivered == [])
        time.becomeActive()
        await environment.tracking.flush()
        #expect(sink.delivered == [[1]])
    }

    @Test("a file has each event once after an abandoned delivery")
    func file() async throws {
        let store = try SQLiteEventStore(path: folder.path, options: folder.options(time))
        let sinkFolder = try SinkFolder()
        let file = JSONLinesFileSink(directory: sinkFolder.path, fileName: "events", rotation: .never)
        // Writes after the time has expired are not acknowledged.
        let sink = ExpiringSink(sink: file) { [time] in time.advance(by: .seconds(30)) }
        let environment = try start(store, sink)
        for page in 1...3 { environment.tracking.send(.search(query: "x", page: page)) }
        time.enterBackground(for: .seconds(30))
        await environment.tracking.flush()
        #expect(try sinkFolder.seqs() == [[1, 2, 3]])
        time.becomeActive()
        #expect(try await store.cursor(of: sink.name).acknowledged == 0)
        environment.tracking.send(.launch)
        await sink.awaitReturn()
        while try await store.cursor(of: sink.name).acknowledged < 4 { await environment.tracking.flush() }
        #expect(try sinkFolder.seqs() == [[1, 2, 3, 4]])
    }
}

/// A log in memory with background time.
private struct TimedLog: ForwardingEventStore {
    let next: any EventStore
    let backgroundTime: any BackgroundTime

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> { next.append(lineCapacity: lineCapacity, priority: priority, fill) }
}

/// Answers its first batch when canceled, and the others immediately: each batch has arrived.
private final class CancellableSink: Sink {
    let name = "sink"
    private let batches = Locked<[EventBatch]>([])
    private let arrivals = AsyncStream.makeStream(of: Void.self)
    private let answers = AsyncStream.makeStream(of: Void.self)

    var deliveries: [[Int64]] { batches.withLock { $0.map { $0.records.map(\.seq) } } }
    var ids: [String] { batches.withLock { $0.map(\.id) } }

    func awaitDelivery() async { for await _ in arrivals.stream { return } }
    func awaitAnswer() async { for await _ in answers.stream { return } }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        let isFirst = batches.withLock { batches in
            batches.append(batch)
            return batches.count == 1
        }
        if isFirst {
            arrivals.continuation.yield()
            for await _ in AsyncStream<Void>.makeStream().stream {}  // ends when canceled
            answers.continuation.yield()
        }
        return .delivered(through: batch.records.last?.seq ?? 0, checkpoint: nil)
    }
}

/// Lets the time expire when the first delivery has been written, before it is acknowledged.
private final class ExpiringSink: Sink {
    let name: String
    private let sink: JSONLinesFileSink
    private let expire: @Sendable () -> Void
    private let isFirst = Locked(true)
    private let returns = AsyncStream.makeStream(of: Void.self)

    init(sink: JSONLinesFileSink, expire: @escaping @Sendable () -> Void) {
        (name, self.sink, self.expire) = (sink.name, sink, expire)
    }

    func awaitReturn() async { for await _ in returns.stream { return } }

    func loss(since checkpoint: String) async -> SinkLoss? { await sink.loss(since: checkpoint) }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        let result = await sink.deliver(batch)
        let isFirst = isFirst.withLock { isFirst in
            defer { isFirst = false }
            return isFirst
        }
        if isFirst {
            expire()
            returns.continuation.yield()
        }
        return result
    }
}
