public import EventLog
public import Flux

/// The container that you pass to a view model: the Flux triples and the tracker.
///
/// There is no shared instance. Pass all dependencies (clock, ids, storage, log and sinks) to
/// ``live(log:storage:clock:timer:ids:sinks:flushPolicy:sendingLimit:unplanned:session:consent:context:recording:diagnostics:)``
/// or use `mock(…)` of `TrackingTesting`, which provides them for tests. If your app has more domains, wrap this value
/// in a type of your own.
public struct TrackingEnvironment<Command: RouteCommand>: Sendable {
    /// The Route triple: navigation in the app.
    public let route: RouteDomain<Command>
    /// The Device triple: the device's id.
    public let device: DeviceDomain
    /// Sends events.
    public let tracking: Tracker
    /// The source of the current time.
    public let clock: any TrackingClock
    /// The recording or the replay of this environment; usually nil.
    public let recording: EnvironmentRecording<Command>?

    /// Navigates: short for `route.actionCreator.show(command)`.
    public func show(_ command: Command) { route.actionCreator.show(command) }

    /// Whether an environment continues the session of the log's newest event.
    public typealias Session = SessionStart

    /// Adds the Flux layer to a tracker: routes of the app, and the tracker's own triples.
    ///
    /// ```swift
    /// let environment = TrackingEnvironment<AppRoute>(Tracker.start())
    /// ```
    ///
    /// Several environments may share a tracker: they have separate routes, and the same device, user and log.
    public init(_ tracker: Tracker) {
        self.init(tracker, routes: FluxDispatcher(), recording: nil)
    }

    private init(_ tracker: Tracker, routes: FluxDispatcher<Command>, recording: EnvironmentRecording<Command>?) {
        route = RouteDomain(RouteActionCreator(dispatcher: routes), initial: RouteState()) { state, command in
            state.command = command
        }
        device = tracker.device
        tracking = tracker
        clock = tracker.pipeline.clock
        self.recording = recording
    }

    /// Makes an environment with the given dependencies.
    ///
    /// - Parameters:
    ///   - log: The log of the events. Several environments may share a log.
    ///   - storage: Stores device id, user and opt-out.
    ///   - clock: The time of events.
    ///   - timer: Measures the flush interval and the wait before retries.
    ///   - ids: The source of identifiers.
    ///   - sinks: The destinations of events, each with its own cursor. Names must differ.
    ///   - flushPolicy: When events are delivered.
    ///   - sendingLimit: The guard against a runaway loop; nil for no limit.
    ///   - unplanned: Whether events without a schema in the plan are sent.
    ///   - session: Whether the newest event's session is continued.
    ///   - consent: The policy for users who have not answered yet.
    ///   - context: The versions of app and system in each container; nil for none.
    ///   - recording: Made by an ``ActionRecorder`` for this environment; nil for none.
    ///   - diagnostics: Receives errors. Called on any thread, without a lock held.
    /// - Throws: ``SinkConflict`` if the log already delivers to a different sink object with the same name.
    ///   Environments may share one sink object. The storage's error if the storage can't be read yet, because the user
    ///   and the consent are unknown until it can be read. Create the environment again once the storage can be read.
    public static func live(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, timer: any Clock<Duration>,
        ids: any TrackingIDs, sinks: [any Sink], flushPolicy: FlushPolicy = .standard,
        sendingLimit: SendingLimit? = .standard, unplanned: UnplannedEvents = .rejected, session: Session = .resumed,
        consent: ConsentPolicy = .assumed,
        context: TrackingContext?, recording: EnvironmentRecording<Command>? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws -> Self {
        let flusher = try EventFlusher(
            log: log, sinks: sinks, policy: flushPolicy, clock: clock, timer: timer, diagnostics: diagnostics)
        return try live(
            log: log, storage: storage, clock: clock, ids: ids, flusher: flusher, sendingLimit: sendingLimit,
            unplanned: unplanned,
            session: session, consent: consent, context: context, recording: recording, diagnostics: diagnostics)
    }

    /// Makes an environment with a flusher that it may share with others. A log with several users needs only one
    /// flusher.
    ///
    /// - Parameters:
    ///   - log: The flusher's log.
    ///   - storage: Stores this user's device id, user id and opt-out.
    ///   - clock: The time of events.
    ///   - ids: The source of identifiers.
    ///   - flusher: Delivers the log's events.
    ///   - sendingLimit: The guard against a runaway loop; nil for no limit.
    ///   - unplanned: Whether events without a schema in the plan are sent.
    ///   - session: Whether the newest event's session is continued.
    ///   - consent: The policy for users who have not answered yet.
    ///   - context: The versions of app and system in each container; nil for none.
    ///   - recording: Made by an ``ActionRecorder`` for this environment; nil for none.
    ///   - diagnostics: Receives errors. Called on any thread, without a lock held.
    /// - Throws: The storage's error if the storage can't be read yet. Make the environment again once it can.
    public static func live(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, ids: any TrackingIDs,
        flusher: EventFlusher, sendingLimit: SendingLimit? = .standard, unplanned: UnplannedEvents = .rejected,
        session: Session = .resumed,
        consent: ConsentPolicy = .assumed, context: TrackingContext?, recording: EnvironmentRecording<Command>? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws -> Self {
        try live(
            log: log, storage: storage, clock: clock, ids: ids, flusher: flusher, sendingLimit: sendingLimit,
            unplanned: unplanned,
            session: session, consent: consent, context: context, recording: recording, observing: { _, _ in },
            diagnostics: diagnostics)
    }

    /// Makes an environment with an observer that receives each route command and each event first.
    ///
    /// - Parameter observe: Subscribes to the route commands and the events.
    package static func live(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, ids: any TrackingIDs,
        flusher: EventFlusher, sendingLimit: SendingLimit?, unplanned: UnplannedEvents = .rejected, session: Session,
        consent: ConsentPolicy = .assumed,
        context: TrackingContext?, recording: EnvironmentRecording<Command>?,
        observing observe: @escaping (FluxDispatcher<Command>, FluxDispatcher<TrackingContainer>) -> Void,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws -> Self {
        // Before anything is recorded or stored.
        _ = try storage.string(forKey: IdentityStore.deviceKey)
        var setup = TrackerSetup(
            clock: clock, timer: ContinuousClock(), ids: ids, context: context, diagnostics: diagnostics)
        setup.sendingLimit = sendingLimit
        setup.unplanned = unplanned
        setup.session = session
        setup.consent = consent
        let make = {
            // The recorder subscribes first, to record an action before other subscribers act on it.
            let routes = FluxDispatcher<Command>()
            let containers = FluxDispatcher<TrackingContainer>()
            recording?.observeRoute(routes)
            observe(routes, containers)
            let tracker = try Tracker.live(
                setup, log: log, storage: storage, containers: containers, flusher: flusher, tape: recording?.tape)
            return Self(tracker, routes: routes, recording: recording)
        }
        guard let recording else { return try make() }
        let launch = EnvironmentLaunch(setup)
        return try recording.tape.input(TapeEntry.launch, launch, perform: make)
    }
}
