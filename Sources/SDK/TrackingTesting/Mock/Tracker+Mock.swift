public import TrackingCore

extension Tracker {
    /// Makes a tracker for tests of code that needs no routes: a clock that stands, ids that count, log and storage in
    /// memory, no sinks unless given.
    ///
    /// ```swift
    /// let recorder = TrackingRecorder()
    /// let tracker = Tracker.mock(recording: recorder)
    /// Checkout(tracker: tracker).didPay(items: 3)
    /// recorder.expect(.checkoutCompleted(items: 3))
    /// ```
    ///
    /// It is the tracker of a `TrackingEnvironment.mock(…)`. A second tracker on the same recorder is the app after a restart.
    ///
    /// - Parameters:
    ///   - recorder: Records what happens and holds clock, log and storage.
    ///   - context: Versions of app and system in each envelope.
    ///   - storage: A storage of the test's own, for example one that can't be written. Default: the recorder's.
    ///   - sinks: Where a flush delivers to; a test asks for it: `await tracker.flush()`.
    ///   - sendingLimit: The guard against a runaway loop. The clock stands, so 5,000 events are one, unless the test moves it.
    ///   - unplanned: What happens to events without a schema in the plan. Default: they are sent, and marked.
    public static func mock(
        recording recorder: TrackingRecorder, context: TrackingContext? = nil, storage: (any KeyValueStorage)? = nil,
        sinks: [any Sink] = [], sendingLimit: SendingLimit? = .standard, unplanned: UnplannedEvents = .allowed
    ) -> Tracker {
        TrackingEnvironment<NoRoute>.mock(
            recording: recorder, context: context, storage: storage, sinks: sinks, sendingLimit: sendingLimit,
            unplanned: unplanned
        ).tracking
    }
}

/// Goes nowhere.
private enum NoRoute: RouteCommand {}
