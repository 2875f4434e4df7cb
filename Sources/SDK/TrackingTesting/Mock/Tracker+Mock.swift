public import EventLog
public import TrackingCore

extension Tracker {
    /// Makes a tracker for tests of code without routes: a manual clock, sequential ids, log and storage in memory, by
    /// default no sinks.
    ///
    /// ```swift
    /// let recorder = TrackingRecorder()
    /// let tracker = Tracker.mock(recording: recorder)
    /// Checkout(tracker: tracker).didPay(items: 3)
    /// recorder.expect(.checkoutCompleted(items: 3))
    /// ```
    ///
    /// The tracker belongs to a `TrackingEnvironment.mock(…)`. Make a second tracker with the same recorder to simulate
    /// a restart of the app.
    ///
    /// - Parameters:
    ///   - recorder: Records the steps, and provides clock, log and storage.
    ///   - context: Versions of app and system in each envelope.
    ///   - storage: Your own storage, for example one that can't be written. Default: the recorder's.
    ///   - sinks: The destinations of events. The test flushes: `await tracker.flush()`.
    ///   - sendingLimit: The guard against a runaway loop. The clock is manual, so 5,000 events exceed it unless the
    ///     test advances the clock.
    ///   - unplanned: Whether events without a schema in the plan are sent. Default: they are sent, and marked.
    ///   - consent: The policy for people who have not answered. With `.required`, events wait for the answer: see
    ///     ``TrackingRecorder/expectHeld(_:for:by:sourceLocation:fileID:filePath:line:column:)``.
    public static func mock(
        recording recorder: TrackingRecorder, context: TrackingContext? = nil, storage: (any KeyValueStorage)? = nil,
        sinks: [any Sink] = [], sendingLimit: SendingLimit? = .standard, unplanned: UnplannedEvents = .allowed,
        consent: ConsentPolicy = .assumed
    ) -> Tracker {
        TrackingEnvironment<NoRoute>.mock(
            recording: recorder, context: context, storage: storage, sinks: sinks, sendingLimit: sendingLimit,
            unplanned: unplanned, consent: consent
        ).tracking
    }
}

/// A route type without commands.
private enum NoRoute: RouteCommand {}
