import Primitives
import Testing
import Tracking
import TrackingTesting

private struct DiskFull: Error {}

/// A log in memory that says which durability its events have, and counts what is asked of it.
private final class CountingStore: EventStore {
    struct Counts: Equatable {
        var appends = 0
        var commits = 0
        var flushes = 0
    }

    private let log = InMemoryEventStore(installID: "install")
    private let content = Locked(Counts())
    let durability: Durability
    private let error: (any Error)?

    init(_ durability: Durability, failingWith error: (any Error)? = nil) {
        self.durability = durability
        self.error = error
    }

    var counts: Counts { content.withLock { $0 } }
    var installID: String { log.installID }
    var newest: EventRecord? { log.newest }

    func append(
        lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        content.withLock { $0.appends += 1 }
        return log.append(lineCapacity: lineCapacity, fill)
    }
    func recordDrop(_ reason: DropReason) { log.recordDrop(reason) }

    func commit() async throws {
        content.withLock { $0.commits += 1 }
        if let error { throw error }
    }

    func flushToDisk() async throws {
        content.withLock { $0.flushes += 1 }
        if let error { throw error }
    }

    func cursor(of consumer: String) async throws -> ConsumerCursor { try await log.cursor(of: consumer) }
    func beginDelivery(to consumer: String) async throws -> ConsumerCursor? {
        try await log.beginDelivery(to: consumer)
    }

    func endDelivery(to consumer: String) async throws { try await log.endDelivery(to: consumer) }

    func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        try await log.read(after: seq, maximumCount: maximumCount, maximumBytes: maximumBytes)
    }
    func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        try await log.acknowledge(cursor, refused: refused)
    }
    func rewind(_ consumer: String, to seq: Int64) async throws { try await log.rewind(consumer, to: seq) }
    func discardUndelivered() async throws { try await log.discardUndelivered() }
    func prune(now: EventTime) async throws { try await log.prune(now: now) }
    func statistics() async throws -> EventLogStatistics { try await log.statistics() }
    func ledger() async throws -> [LedgerEntry] { try await log.ledger() }
    func close() async throws { try await log.close() }
}

@Suite("Durability")
struct DurabilityTests {
    private func tracking(_ log: any EventStore) -> TrackingModel {
        TrackingEnvironment<Route>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: ManualTrackingClock(EventTime(seconds: 1000)),
            timer: ContinuousClock(), ids: SequentialTrackingIDs(), sinks: [], flushPolicy: .manual, context: nil,
            diagnostics: { _ in }
        ).tracking
    }

    @Test("a plain send has the durability of its log and waits for nothing", arguments: Durability.allCases)
    func plain(durability: Durability) {
        let log = CountingStore(durability)
        #expect(tracking(log).send(.launch)?.durability == durability)
        #expect(log.counts == .init(appends: 1))
    }

    @Test("each event asks the log once, whoever the user is")
    func appends() {
        let log = CountingStore(.buffered)
        let tracking = tracking(log)
        tracking.send(.launch)
        tracking.identify(String(repeating: "\u{1}", count: 128))
        tracking.send(.search(query: "x", page: 1))
        tracking.reset()
        tracking.send(.launch)
        #expect(log.counts == .init(appends: 3))
    }

    @Test("what the log gives anyway is not waited for; what goes beyond is", arguments: Durability.allCases)
    func reaching(wanted: Durability) async throws {
        for given in Durability.allCases {
            let log = CountingStore(given)
            let receipt = try await tracking(log).send(.launch, reaching: wanted)
            #expect(receipt?.seq == 1)
            #expect(receipt?.durability == max(given, wanted))
            let isWaiting = wanted > given
            #expect(log.counts.commits == (isWaiting && wanted == .survivesProcessKill ? 1 : 0))
            #expect(log.counts.flushes == (isWaiting && wanted == .survivesPowerLoss ? 1 : 0))
        }
    }

    @Test("a log in memory answers too")
    func inMemory() async throws {
        let log = InMemoryEventStore(installID: "install")
        let receipt = try await tracking(log).send(.search(query: "x", page: 1), reaching: .survivesPowerLoss)
        #expect(receipt?.durability == .survivesPowerLoss)
        #expect(receipt?.id == log.newest?.id)
    }

    @Test("a dropped event waits for nothing")
    func dropped() async throws {
        let log = CountingStore(.buffered)
        let tracking = tracking(log)
        await tracking.setOptedOut(true)
        #expect(try await tracking.send(.launch, reaching: .survivesPowerLoss) == nil)
        #expect(log.counts == .init())
    }

    @Test("an event that does not reach the disk is taken all the same, and its sender is told")
    func failing() async throws {
        let log = CountingStore(.survivesProcessKill, failingWith: DiskFull())
        let tracking = tracking(log)
        await #expect(throws: DiskFull.self) {
            try await tracking.send(.launch, reaching: .survivesPowerLoss)
        }
        #expect(log.newest?.seq == 1)
    }
}
