internal import EventLog

extension Tracker {
    /// A tracker that keeps nothing: for previews, and wherever code needs a tracker and nothing is to be tracked.
    public static let noop: Tracker = {
        enum NoRoute: String, RouteCommand { case none }
        let storage = InMemoryKeyValueStorage()
        do {
            storage.set("1", forKey: Tracker.optOutKey)
            return try TrackingEnvironment<NoRoute>.live(
                log: InMemoryEventStore(installID: ""), storage: storage, clock: SystemTrackingClock(),
                timer: ContinuousClock(), ids: RandomTrackingIDs(), sinks: [], flushPolicy: .manual, context: nil,
                diagnostics: { _ in }
            ).tracking
        } catch {
            preconditionFailure("internal error; please report it: \(error)")  // without sinks there is no conflict
        }
    }()
}
