public import Tracking

extension TrackingEnvironment {
    /// Makes an environment for tests: a clock that stands, ids that count, log and storage in memory, no sinks.
    ///
    /// It is the live environment on other parts, so what a test sees is what an app does. Nothing happens in the
    /// background and nothing outlives the test.
    ///
    /// - Parameters:
    ///   - recorder: Records what happens and holds clock, log and storage.
    ///   - context: What stands in each container about app and system.
    public static func mock(recording recorder: TrackingRecorder, context: TrackingContext? = nil) -> Self {
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { [weak recorder] in recorder?.record($0) }
        let flusher = EventFlusher(
            log: recorder.log, sinks: [], policy: .manual, clock: recorder.clock, timer: ContinuousClock(),
            diagnostics: diagnostics)
        let environment = live(
            log: recorder.log, storage: recorder.storage, clock: recorder.clock, ids: SequentialTrackingIDs(),
            flusher: flusher, sendingLimit: .standard, session: .resumed, context: context, recording: nil,
            observingRoutes: recorder.observe, diagnostics: diagnostics)
        recorder.attach(to: environment)
        return environment
    }
}
