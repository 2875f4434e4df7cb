public import EventLog
public import Flux

/// The one container that a view model receives: the Flux triples and the tracking model.
///
/// There is no shared instance, and nothing here reaches for the outside by itself: clock, ids, storage, log and
/// sinks are handed to ``live(log:storage:clock:timer:ids:sinks:flushPolicy:sendingLimit:session:context:recording:diagnostics:)``,
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

    /// Whether an environment goes on with the session of the log's newest event.
    public enum Session: Sendable {
        /// Goes on with it, if it was at most 30 minutes ago: for an app, whose log is its own.
        case resumed
        /// Starts a session with the first event: for one of several users of one log.
        case fresh

        func rule(_ log: any EventStore, _ storage: any KeyValueStorage) throws -> SessionRule {
            switch self {
            case .resumed:
                SessionRule(resuming: log.newest, unless: try storage.string(forKey: Tracker.endedSessionKey))
            case .fresh: SessionRule()
            }
        }
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
        sendingLimit: SendingLimit? = .standard, session: Session = .resumed, consent: ConsentPolicy = .assumed,
        context: TrackingContext?, recording: EnvironmentRecording<Command>? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws -> Self {
        let flusher = try EventFlusher(
            log: log, sinks: sinks, policy: flushPolicy, clock: clock, timer: timer, diagnostics: diagnostics)
        return try live(
            log: log, storage: storage, clock: clock, ids: ids, flusher: flusher, sendingLimit: sendingLimit,
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
    ///   - session: Whether the newest event's session goes on.
    ///   - consent: What holds for a user who has not said anything.
    ///   - context: What stands in each container about app and system; nil for nothing.
    ///   - recording: Made by an ``ActionRecorder`` for this environment; nil records nothing, at no cost.
    ///   - diagnostics: Told what could not be done. Called on any thread, without a lock held.
    /// - Throws: What the storage throws if it can't be read yet. Make the environment again when it can.
    public static func live(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, ids: any TrackingIDs,
        flusher: EventFlusher, sendingLimit: SendingLimit? = .standard, session: Session = .resumed,
        consent: ConsentPolicy = .assumed, context: TrackingContext?, recording: EnvironmentRecording<Command>? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws -> Self {
        try live(
            log: log, storage: storage, clock: clock, ids: ids, flusher: flusher, sendingLimit: sendingLimit,
            session: session, consent: consent, context: context, recording: recording, observing: { _, _ in },
            diagnostics: diagnostics)
    }

    /// The same for somebody who sees each route command and each event before anybody acts on it.
    ///
    /// - Parameter observe: Subscribes to the route commands and the events.
    package static func live(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, ids: any TrackingIDs,
        flusher: EventFlusher, sendingLimit: SendingLimit?, session: Session, consent: ConsentPolicy = .assumed,
        context: TrackingContext?, recording: EnvironmentRecording<Command>?,
        observing observe: @escaping (FluxDispatcher<Command>, FluxDispatcher<TrackingContainer>) -> Void,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws -> Self {
        // Before anything is recorded or stored.
        _ = try storage.string(forKey: DeviceActionCreator.key)
        let make = {
            try start(
                RecordedDependencies(log: log, storage: storage, clock: clock, ids: ids, tape: recording?.tape),
                flusher: EnvironmentFlusher(flusher), sendingLimit: sendingLimit, session: session, consent: consent,
                context: context,
                recording: recording, observing: observe, diagnostics: diagnostics)
        }
        guard let recording else { return try make() }
        let launch = EnvironmentLaunch(context: context, limit: sendingLimit, isResumed: session == .resumed)
        return try recording.tape.input(TapeEntry.launch, launch, perform: make)
    }

    /// - Parameter held: Holds what is sent before the log is open; nil if it is.
    static func start(
        _ dependencies: RecordedDependencies, flusher: EnvironmentFlusher, held: HeldEvents? = nil,
        sendingLimit: SendingLimit?, session: Session, consent: ConsentPolicy, context: TrackingContext?,
        recording: EnvironmentRecording<Command>?,
        observing observe: @escaping (FluxDispatcher<Command>, FluxDispatcher<TrackingContainer>) -> Void,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws -> Self {
        let (log, storage, clock, ids) = (
            dependencies.log, dependencies.storage, dependencies.clock, dependencies.ids
        )
        let tape = recording?.tape
        // Whoever records subscribes first: an action is recorded before anybody acts on it.
        let (routes, devices) = (FluxDispatcher<Command>(), FluxDispatcher<DeviceAction>())
        let containers = FluxDispatcher<TrackingContainer>()
        recording?.observeRoute(routes)
        observe(routes, containers)
        tape?.observe(devices, as: "device")
        tape?.observe(containers, as: TapeEntry.tracking)

        let device = DeviceDomain(
            DeviceActionCreator(dispatcher: devices, storage: storage, ids: ids, diagnostics: diagnostics),
            initial: DeviceState()
        ) { state, action in state.deviceID = action.deviceID }
        let deviceID = try device.actionCreator.load()

        let isOptedOut = try storage.string(forKey: Tracker.optOutKey) != nil
        let newestSession = try session.rule(log, storage)
        let rule = tape.map { SessionRule($0.value("session") { newestSession.start }) } ?? newestSession
        let userID = try storage.string(forKey: Tracker.userKey) ?? deviceID
        tape?.setUser(userID)

        let pipeline = TrackingPipeline(
            log: log, clock: clock, ids: ids, context: context, limit: sendingLimit, session: rule, userID: userID,
            deviceID: deviceID, isOptedOut: isOptedOut, requiresConsent: consent == .required, flusher: flusher,
            held: held, diagnostics: diagnostics)
        if consent == .required {
            for user in pipeline.ownUserIDs where user != DeferredStorage.unknownDeviceID {
                log.requireConsent(of: user)
            }
        }
        let tracking = TrackingDomain(
            TrackingActionCreator(dispatcher: containers, pipeline: pipeline), initial: TrackingState()
        ) { state, container in state.add(container) }
        let model = Tracker(
            domain: tracking, device: device.actionCreator, pipeline: pipeline, flusher: flusher, log: log,
            storage: storage, tape: tape, diagnostics: diagnostics)
        // Also because the process may have ended between an opt-out and the removal.
        if held == nil, pipeline.isOptedOut { Task { await model.migrateOptOut() } }
        return Self(
            route: RouteDomain(RouteActionCreator(dispatcher: routes), initial: RouteState()) {
                state, command in state.command = command
            },
            device: device,
            tracking: model, clock: clock, recording: recording)
    }
}
