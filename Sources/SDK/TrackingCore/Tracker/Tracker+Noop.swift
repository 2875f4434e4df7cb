internal import EventLog
internal import EventModel
internal import Flux

extension Tracker {
    /// A tracker that stores nothing: for previews, and for code that requires a tracker when nothing is to be tracked.
    ///
    /// ``send(_:)`` returns nil. Nothing is stored, delivered or reported.
    public static let noop: Tracker = {
        let (log, clock) = (DiscardingEventStore(), SystemTrackingClock())
        do {
            return try Tracker(
                RecordedDependencies(
                    log: log, storage: InMemoryKeyValueStorage(), clock: clock, ids: RandomTrackingIDs(), tape: nil),
                containers: FluxDispatcher(),
                flusher: EnvironmentFlusher(
                    EventFlusher(alone: log, sinks: [], clock: clock, diagnostics: { _ in })),
                sendingLimit: nil, session: .fresh, consent: .assumed, context: nil, diagnostics: { _ in })
        } catch {
            preconditionFailure("internal error; please report it: \(error)")  // storage in memory does not throw
        }
    }()
}

/// A log that accepts no event.
private final class DiscardingEventStore: ForwardingEventStore {
    let next: any EventStore = InMemoryEventStore(installID: "")

    func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> { .failure(EventDropped(.closed)) }

    func recordDrop(_ reason: DropReason, at time: EventTime?) {}
}
