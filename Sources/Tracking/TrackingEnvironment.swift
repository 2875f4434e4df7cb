public import EventLog
public import Flux

/// The one container that a view model receives: the Flux triples and the tracking model.
///
/// There is no shared instance, and nothing here reaches for the outside by itself: clock, ids, storage, log and
/// sinks are handed to ``live(log:storage:clock:timer:ids:sinks:flushPolicy:sendingLimit:session:context:diagnostics:)``,
/// or made by `mock(…)` of `TrackingTesting`. An app with domains of its own wraps this value in one of its own.
public struct TrackingEnvironment<Command: RouteCommand>: Sendable {
    /// The Route triple: where the app goes.
    public let route: RouteDomain<Command>
    /// The Device triple: the device's id.
    public let device: DeviceDomain
    /// Sends events.
    public let tracking: TrackingModel
    /// What time it is.
    public let clock: any TrackingClock

    /// Goes somewhere: short for `route.actionCreator.show(command)`.
    public func show(_ command: Command) { route.actionCreator.show(command) }

    /// Whether an environment goes on with the session of the log's newest event.
    public enum Session: Sendable {
        /// Goes on with it, if it was at most 30 minutes ago: for an app, whose log is its own.
        case resumed
        /// Starts a session with the first event: for one of several users of one log.
        case fresh
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
    ///   - context: What stands in each container about app and system; nil for nothing.
    ///   - diagnostics: Told what could not be done. Called on any thread, without a lock held.
    public static func live(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, timer: any Clock<Duration>,
        ids: any TrackingIDs, sinks: [any Sink], flushPolicy: FlushPolicy = .standard,
        sendingLimit: SendingLimit? = .standard, session: Session = .resumed, context: TrackingContext?,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> Self {
        let flusher = EventFlusher(
            log: log, sinks: sinks, policy: flushPolicy, clock: clock, timer: timer, diagnostics: diagnostics)
        return live(
            log: log, storage: storage, clock: clock, ids: ids, flusher: flusher, sendingLimit: sendingLimit,
            session: session, context: context, diagnostics: diagnostics)
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
    ///   - context: What stands in each container about app and system; nil for nothing.
    ///   - diagnostics: Told what could not be done. Called on any thread, without a lock held.
    public static func live(
        log: any EventStore, storage: any KeyValueStorage, clock: any TrackingClock, ids: any TrackingIDs,
        flusher: EventFlusher, sendingLimit: SendingLimit? = .standard, session: Session = .resumed,
        context: TrackingContext?, diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) -> Self {
        let device = DeviceDomain(
            DeviceActionCreator(dispatcher: FluxDispatcher(), storage: storage, ids: ids, diagnostics: diagnostics),
            initial: DeviceState()
        ) { state, action in state.deviceID = action.deviceID }
        let deviceID = device.actionCreator.load()

        let isOptedOut = storage.string(forKey: TrackingModel.optOutKey) != nil
        let pipeline = TrackingPipeline(
            log: log, clock: clock, ids: ids, context: context, limit: sendingLimit,
            session: session == .resumed
                ? SessionRule(resuming: log.newest, unless: storage.string(forKey: TrackingModel.endedSessionKey))
                : SessionRule(),
            userID: storage.string(forKey: TrackingModel.userKey) ?? deviceID, isOptedOut: isOptedOut,
            flusher: flusher, diagnostics: diagnostics)
        let tracking = TrackingDomain(
            TrackingActionCreator(dispatcher: FluxDispatcher(), pipeline: pipeline), initial: TrackingState()
        ) { state, container in state.add(container) }
        if isOptedOut {
            // The process may have ended between the opt-out and the removal.
            Task { do { try await log.discardUndelivered() } catch { diagnostics(.log(error)) } }
        }
        return Self(
            route: RouteDomain(RouteActionCreator(dispatcher: FluxDispatcher()), initial: RouteState()) {
                state, command in state.command = command
            },
            device: device,
            tracking: TrackingModel(
                domain: tracking, device: device.actionCreator, pipeline: pipeline, flusher: flusher, log: log,
                storage: storage, diagnostics: diagnostics),
            clock: clock)
    }
}
