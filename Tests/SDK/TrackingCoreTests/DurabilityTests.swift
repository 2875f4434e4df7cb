import Primitives
import Testing
import TrackingCore
import TrackingDomainEvents
import TrackingTesting

private struct DiskFull: Error {}

/// A log in memory that reports a durability for its events, and counts calls.
private final class CountingStore: ForwardingEventStore {
    struct Counts: Equatable {
        var appends = 0
        var commits = 0
        var flushes = 0
    }

    let log = InMemoryEventStore(installID: "install")
    private let content = Locked(Counts())
    let durability: Durability
    private let error: (any Error)?

    init(_ durability: Durability, failingWith error: (any Error)? = nil) {
        self.durability = durability
        self.error = error
    }

    var counts: Counts { content.withLock { $0 } }
    var next: any EventStore { log }

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        content.withLock { $0.appends += 1 }
        return log.append(lineCapacity: lineCapacity, priority: priority, fill)
    }

    func commit() async throws {
        content.withLock { $0.commits += 1 }
        if let error { throw error }
    }

    func flushToDisk() async throws {
        content.withLock { $0.flushes += 1 }
        if let error { throw error }
    }

    func syncStored() async throws -> Int64 { try await log.statistics().lastSeq }
}

@Suite("Durability")
struct DurabilityTests {
    private func tracking(_ log: any EventStore, sinks: [any Sink] = []) throws -> Tracker {
        let clock = ManualTrackingClock(EventTime(seconds: 1000))
        return try TrackingEnvironment<Route>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: clock, ids: SequentialTrackingIDs(),
            flusher: EventFlusher(alone: log, sinks: sinks, clock: clock, diagnostics: { _ in }), context: nil,
            diagnostics: { _ in }
        ).tracking
    }

    @Test("a plain send has its log's durability and does not wait", arguments: Durability.allCases)
    func plain(durability: Durability) throws {
        let log = CountingStore(durability)
        #expect(try tracking(log).send(.launch)?.durability == durability)
        #expect(log.counts == .init(appends: 1))
    }

    @Test("each event calls the log once, whatever its user")
    func appends() throws {
        let log = CountingStore(.buffered)
        let tracking = try tracking(log)
        tracking.send(.launch)
        tracking.identify(String(repeating: "\u{1}", count: 128))
        tracking.send(.search(query: "x", page: 1))
        tracking.reset()
        tracking.send(.launch)
        #expect(log.counts == .init(appends: 3))
    }

    @Test("send waits only for more durability than the log's own", arguments: Durability.allCases)
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
        let tracking = try tracking(log)
        try await tracking.setConsent(.denied)
        #expect(try await tracking.send(.launch, reaching: .survivesPowerLoss) == nil)
        #expect(log.counts == .init())
    }

    @Test("stored events are delivered even if no more can be stored")
    func fullDisk() async throws {
        let sink = RecordingSink("sink")
        let tracking = try tracking(CountingStore(.survivesProcessKill, failingWith: DiskFull()), sinks: [sink])
        tracking.send(.launch)
        await tracking.flush()
        #expect(sink.delivered == [[1]])
    }

    @Test("an event that does not reach the disk is accepted, and its sender gets the error")
    func failing() async throws {
        let log = CountingStore(.survivesProcessKill, failingWith: DiskFull())
        let tracking = try tracking(log)
        await #expect(throws: DiskFull.self) {
            try await tracking.send(.launch, reaching: .survivesPowerLoss)
        }
        #expect(log.newest?.seq == 1)
    }
}
