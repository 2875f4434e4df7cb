import EventLog
import Primitives
import Testing

@testable import TrackingCore

/// The moment between the opening of a log and the numbering of earlier events.
@Suite("Numbers of pending events", .timeLimit(.minutes(5)))
struct PendingNumbersTests {
    @Test("flushToDisk and close wait for the numbers of pending events", arguments: [false, true])
    func waiting(closes: Bool) async throws {
        let dependencies = TestDependencies()
        let pending = PendingEventStore(storage: dependencies.storage, backgroundTime: .system)
        let held = HeldEvents()
        let tracker = try Tracker(
            RecordedDependencies(
                log: pending, storage: dependencies.storage, clock: dependencies.clock, ids: dependencies.ids, tape: nil
            ),
            containers: FluxDispatcher(), flusher: EnvironmentFlusher(after: held), held: held, sendingLimit: nil,
            session: .fresh, consent: .assumed, context: nil, diagnostics: { _ in })
        for _ in 1...3 { #expect(tracker.send(.launch)?.isPending == true) }

        let stored = Locked<Int?>(nil)
        let waiting = Task {
            if closes { try await tracker.close() } else { try await tracker.flushToDisk() }
            stored.withLock { $0 = dependencies.log.records.count }
        }
        try pending.open(dependencies.log)
        for _ in 1...50 { await Task.yield() }
        #expect(stored.withLock { $0 } == nil)

        tracker.pipeline.wasOpened(dependencies.log, session: SessionRule())
        await held.performSteps()
        tracker.domain.actionCreator.sendHeld(held) { _ in }
        try await waiting.value
        #expect(stored.withLock { $0 } == 3)
        #expect(tracker.send(.launch)?.seq == (closes ? nil : 4))
    }
}
