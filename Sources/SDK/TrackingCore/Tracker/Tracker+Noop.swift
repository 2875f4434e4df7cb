internal import EventLog
internal import Flux

extension Tracker {
    /// A tracker that stores nothing: for previews, and for code that requires a tracker when nothing is to be tracked.
    ///
    /// ``send(_:)`` returns nil. Nothing is stored, delivered or reported.
    public static let noop: Tracker = {
        let (log, clock) = (ClosedEventStore(.closed), SystemTrackingClock())
        let setup = TrackerSetup(
            clock: clock, timer: ContinuousClock(), ids: RandomTrackingIDs(), context: nil, diagnostics: { _ in })
        do {
            return try live(
                setup, log: log, storage: InMemoryKeyValueStorage(), containers: FluxDispatcher(),
                flusher: EventFlusher(alone: log, sinks: [], clock: clock, diagnostics: { _ in }))
        } catch {
            preconditionFailure("internal error; please report it: \(error)")  // storage in memory does not throw
        }
    }()
}
