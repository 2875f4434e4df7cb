public import Tracking

extension TrackingEnvironment {
    /// Makes an environment for tests: a clock that stands, ids that count, log and storage in memory, no sinks unless given.
    ///
    /// It is the live environment on other parts, so what a test sees is what an app does. Nothing happens in the
    /// background and nothing outlives the test. A second environment on the same recorder is the app after a restart.
    ///
    /// - Parameters:
    ///   - recorder: Records what happens and holds clock, log and storage.
    ///   - context: What stands in each container about app and system.
    ///   - storage: A storage of the test's own, one that fails for instance; the recorder's unless given.
    ///   - sinks: Where a flush delivers to; a test asks for it: `await environment.tracking.flush()`.
    ///   - sendingLimit: The guard against a runaway loop. As the clock stands, 5,000 events are one, unless the test moves it.
    public static func mock(
        recording recorder: TrackingRecorder, context: TrackingContext? = nil, storage: (any KeyValueStorage)? = nil,
        sinks: [any Sink] = [], sendingLimit: SendingLimit? = .standard
    ) -> Self {
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { [weak recorder] in recorder?.record($0) }
        let flusher = EventFlusher(
            log: recorder.log, sinks: sinks, policy: .manual, clock: recorder.clock, timer: ContinuousClock(),
            diagnostics: diagnostics)
        let environment = live(
            log: recorder.log, storage: storage ?? recorder.storage, clock: recorder.clock, ids: recorder.ids,
            flusher: flusher, sendingLimit: sendingLimit, session: .resumed, context: context, recording: nil,
            observing: recorder.observe, diagnostics: diagnostics)
        recorder.attach(to: environment)
        return environment
    }
}
