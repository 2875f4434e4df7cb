public import EventLog
public import Flux

/// The one container that a view model receives: the Flux triples and the tracking model.
///
/// There is no shared instance, and nothing here reaches for the outside by itself: clock, ids, storage, log and
/// sinks are handed to ``live(log:storage:clock:timer:ids:sinks:flushPolicy:sendingLimit:unplanned:session:context:recording:diagnostics:)``,
/// or made by `mock(…)` of `TrackingTesting`. An app with domains of its own wraps this value in one of its own.
public struct TrackingEnvironment<Command: RouteCommand>: Sendable {
    /// The Route triple: where the app goes.
    public let route: RouteDomain<Command>
    /// The Device triple: the device's id.
    public let device: DeviceDomain
    /// Sends events.
    public let tracking: Tracker
    /// What time it is.
    public let clock: any TrackingClock
    /// Records what happens here, or plays it again; nil as a rule.
    public let recording: EnvironmentRecording<Command>?

    /// Goes somewhere: short for `route.actionCreator.show(command)`.
    public func show(_ command: Command) { route.actionCreator.show(command) }

    /// Whether an environment continues the session of the log's newest event.
    public typealias Session = SessionStart

    /// Puts the Flux layer around a tracker: routes of the app, and the tracker's own triples.
    ///
    /// ```swift
    /// let environment = TrackingEnvironment<AppRoute>(Tracker.start())
    /// ```
    ///
    /// Several environments may share a tracker: they have routes of their own, and the same device, user and log.
    public init(_ tracker: Tracker) {
        self.init(tracker, routes: FluxDispatcher(), recording: nil)
    }

    private init(_ tracker: Tracker, routes: FluxDispatcher<Command>, recording: EnvironmentRecording<Command>?) {
        route = RouteDomain(RouteActionCreator(dispatcher: routes), initial: RouteState()) { state, command in
            state.command = command
        }
        (device, tracking, clock) = (tracker.device, tracker, tracker.pipeline.clock)
        self.recording = recording
    }

    /// Makes an environment on real parts.
    ///
    /// - Parameters:
    ///   - log: Where events are kept. Several environments may share one.
    ///   - storage: Where device id, user and opt-out are kept.
    ///   - clock: What time events get.
    ///   - timer: What the flush interval and retries are measured with.
    ///   - ids: Where identifiers come from.
    ///   - sinks: Where events are delivered, each with its own cursor; names must differ.
    ///   - flushPolicy: When they are delivered.
    ///   - sendingLimit: The guard against a runaway loop; nil takes it away.
    ///   - unplanned: What happens to events without a schema in the plan.
    ///   - session: Whether the newest event's session goes on.
    ///   - consent: What holds for a user who has not said anything.
    ///   - context: What stands in each container about app and system; nil for nothing.
    ///   - recording: Made by an ``ActionRecorder`` for this environment; nil records nothing, at no cost.
    ///   - diagnostics: Told what could not be done. Called on any thread, without a lock held.
    /// - Throws: ``SinkConflict`` if the log delivers to another sink of the same name already; the same object is shared.
    ///   What the storage throws if it can't be read yet: who the user is, and what the user has said, is not known then.
    ///   Make the environment again when it can be read.
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

    /// Makes an environment on real parts, with a flusher that it may share with others: one log with several
    /// users needs one flusher.
    ///
    /// - Parameters:
    ///   - log: Where events are kept: the flusher's log.
    ///   - storage: Where this user's device id, user id and opt-out are kept.
    ///   - clock: What time events get.
    ///   - ids: Where identifiers come from.
    ///   - flusher: Delivers the log's events.
    ///   - sendingLimit: The guard against a runaway loop; nil takes it away.
    ///   - unplanned: What happens to events without a schema in the plan.
    ///   - session: Whether the newest event's session goes on.
    ///   - consent: What holds for a user who has not said anything.
    ///   - context: What stands in each container about app and system; nil for nothing.
    ///   - recording: Made by an ``ActionRecorder`` for this environment; nil records nothing, at no cost.
    ///   - diagnostics: Told what could not be done. Called on any thread, without a lock held.
    /// - Throws: What the storage throws if it can't be read yet. Make the environment again when it can.
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

    /// The same for somebody who sees each route command and each event before anybody acts on it.
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
        _ = try storage.string(forKey: DeviceActionCreator.key)
        let make = {
            // The recorder subscribes first: it records an action before any other subscriber acts on it.
            let (routes, containers) = (FluxDispatcher<Command>(), FluxDispatcher<TrackingContainer>())
            recording?.observeRoute(routes)
            observe(routes, containers)
            let tracker = try Tracker(
                RecordedDependencies(log: log, storage: storage, clock: clock, ids: ids, tape: recording?.tape),
                containers: containers, flusher: EnvironmentFlusher(flusher), sendingLimit: sendingLimit,
                unplanned: unplanned,
                session: session, consent: consent, context: context, tape: recording?.tape, diagnostics: diagnostics)
            return Self(tracker, routes: routes, recording: recording)
        }
        guard let recording else { return try make() }
        let launch = EnvironmentLaunch(
            context: context, limit: sendingLimit, isResumed: session == .resumed, unplanned: unplanned)
        return try recording.tape.input(TapeEntry.launch, launch, perform: make)
    }
}
