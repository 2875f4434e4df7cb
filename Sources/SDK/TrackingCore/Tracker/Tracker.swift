public import EventLog
public import Flux
internal import Primitives

/// Sends events, identifies users, opts out and flushes: the API that an app calls to track.
///
/// ```swift
/// let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: key))
/// tracker.send(.checkoutCompleted(items: 3))
/// ```
///
/// Copies refer to the same tracker. Call the methods on any thread.
public struct Tracker: Sendable {
    /// The Tracking triple behind this tracker.
    public let domain: TrackingDomain
    /// The Device triple.
    let device: DeviceDomain
    let pipeline: TrackingPipeline
    let tape: EnvironmentTape?
    let users: UserTracker.Shared
    private let log: LogReference

    /// - Parameters:
    ///   - log: The log if it is open; nil if calls are held until it is, see ``open(_:storage:opening:)``.
    ///   - containers: Dispatches the sent events. Its existing subscribers receive each event first.
    init(
        _ setup: TrackerSetup, log: (any EventStore)?, storage: any KeyValueStorage,
        containers: FluxDispatcher<TrackingContainer>, flusher: EventFlusher?, tape: EnvironmentTape?
    ) {
        self.tape = tape
        self.log = LogReference(log)
        let devices = FluxDispatcher<DeviceAction>()
        tape?.observe(devices, as: "device")
        tape?.observe(containers, as: TapeEntry.tracking, of: \.userID)
        device = DeviceDomain(DeviceActionCreator(dispatcher: devices), initial: DeviceState()) { state, action in
            state.deviceID = action.deviceID
        }
        let state = SenderState.Setup(
            policy: setup.consent, scope: setup.consentScope, purposes: setup.purposes,
            sharesIdentity: setup.sharesIdentity,
            app: setup.context?.app, ids: setup.ids)
        let store = IdentityStore(
            storage, isNumbered: setup.sharesIdentity || setup.consent.storesNothingBefore,
            isImmediate: tape != nil || storage is any ImmediateStorage)
        let sender = Sender(
            state, maximumHeldBytes: setup.maximumHeldBytes, log: self.log, store: store,
            context: setup.context, devices: devices, tape: tape,
            isOpen: log != nil, diagnostics: Diagnostics.reporting(setup.diagnostics))
        pipeline = TrackingPipeline(setup, log: self.log, sender: sender, flusher: EnvironmentFlusher(flusher))
        domain = TrackingDomain(
            TrackingActionCreator(dispatcher: containers, pipeline: pipeline), initial: TrackingState()
        ) { state, container in state.add(container) }
        users = UserTracker.Shared(domain.actionCreator, tape)
        _ = sender.sending.storeIfNil(
            Sender.Sending { [weak pipeline] event in
                guard let pipeline else { return }
                TrackingActionCreator(dispatcher: containers, pipeline: pipeline).send(waited: event)
            })
    }

    /// Makes a tracker whose log is open.
    ///
    /// - Throws: The storage's error if the storage can't be read.
    static func live(
        _ setup: TrackerSetup, log: any EventStore, storage: any KeyValueStorage,
        containers: FluxDispatcher<TrackingContainer>, flusher: EventFlusher, tape: EnvironmentTape? = nil
    ) throws -> Tracker {
        let dependencies = RecordedDependencies(setup, log: log, storage: storage, tape: tape)
        let tracker = Tracker(
            dependencies.setup, log: dependencies.log, storage: dependencies.storage, containers: containers,
            flusher: flusher, tape: tape)
        try tracker.start(dependencies)
        return tracker
    }

    private func start(_ dependencies: RecordedDependencies) throws {
        let (setup, log) = (dependencies.setup, dependencies.log)
        let stored = try pipeline.sender.store.read()
        let newest = SessionRule(
            resuming: setup.session == .resumed ? log.newest : nil, unless: stored.endedSession,
            of: [stored.userID, stored.deviceID])
        let rule = tape.map { SessionRule($0.value("session") { newest.start }) } ?? newest
        let identity = LogIdentity(
            deviceID: stored.deviceID ?? setup.newDevice(after: stored), userID: stored.userID,
            endedSession: stored.endedSession, number: stored.number)
        pipeline.sender.start(identity, session: rule, isNew: stored.deviceID == nil && !identity.isUnnamed)
    }

    /// The events that were sent: last container, counts by event name.
    public var store: FluxStore<TrackingState, TrackingContainer> { domain.store }

    /// Dispatches each container once it is in the log.
    public var dispatcher: FluxDispatcher<TrackingContainer> { domain.dispatcher }

    /// Sends an event. Never throws, never traps, never waits for a disk.
    ///
    /// When the method returns, the event has its number and is in the log, with the durability that the receipt
    /// states. The subscribers of ``dispatcher`` have received it, unless another thread is delivering at the moment
    /// and will pass it on.
    ///
    /// - Returns: The event's receipt, or nil if the event was dropped. Reasons for drops: the event can't be encoded,
    ///   has more than 32 KiB or an invalid name, the user opted out, the app doesn't allow unplanned events, remote
    ///   switches, a runaway loop, or no memory left for waiting events. Drops are counted and reported. While the log is not open, the
    ///   event waits in memory and its receipt is pending, see ``TrackingReceipt/isPending``.
    @discardableResult
    public func send<Event: TrackingEvent>(_ event: Event) -> TrackingReceipt? {
        domain.actionCreator.send(event)
    }

    /// Sends an event and waits until it has the requested durability.
    ///
    /// ```swift
    /// try await tracking.send(.purchase(order: id), reaching: .survivesPowerLoss)
    /// ```
    ///
    /// The event gets its number and reaches the subscribers as with ``send(_:)``, before this method waits. One sync
    /// to the disk serves all callers that wait at the same time.
    ///
    /// - Parameter durability: What the event must survive when this method returns. If the log provides this
    ///   durability immediately, see ``TrackingReceipt/durability``, the method does not wait.
    /// - Returns: The event's receipt with at least the requested durability; nil if the event was dropped.
    /// - Throws: ``/EventLog/EventLogError``, or the error of ``opened()``. The event was accepted in this case, too, and is
    ///   stored as soon as possible: sending it again would create a duplicate.
    @discardableResult
    public func send<Event: TrackingEvent>(
        _ event: Event, reaching durability: Durability
    ) async throws -> TrackingReceipt? {
        try await domain.actionCreator.send(event, as: nil, reaching: durability)
    }

    /// Returns when the log is open and all earlier calls have taken effect: each pending event has its number then. If the
    /// device has not been unlocked since its restart, waits until the user unlocks it; see ``DeviceLockedError``.
    ///
    /// - Throws: The error that prevents reading the identity or opening the log, after the first failed attempt: a file
    ///   blocks the folder's path, permission is denied, a newer version wrote the database. Pending events then wait in
    ///   memory, and opening is retried. ``/EventLog/EventLogError/Code/consentUnknown`` if nothing is stored before the
    ///   person answers: ask.
    public func opened() async throws { try await pipeline.sender.opened() }

    /// Delivers pending events to each sink. Returns when every sink has them or has reported an error.
    ///
    /// Waits for the log like ``opened()``. If it can't be opened, `flush()` returns after the attempt without delivering;
    /// the error was reported to the tracker's diagnostics, and ``close()`` throws it.
    public func flush() async {
        // Reported when the attempt failed.
        guard (try? await opened()) != nil else { return }
        await pipeline.sender.storeConsents()
        await pipeline.flusher.flush()
    }

    /// Returns when all events, the identity and the answers so far are on the disk and survive a power failure. At that
    /// point, pending events have their numbers.
    ///
    /// - Throws: ``/EventLog/EventLogError``, or the error of ``opened()``;
    ///   ``/EventLog/EventLogError/Code/consentUnknown`` after that if events wait in memory for an answer.
    public func flushToDisk() async throws {
        try await opened()
        try await pipeline.sender.storeAll()
        try await log.current.flushToDisk()
        if pipeline.sender.hasUnanswered { throw EventLogError.consentUnknown }
    }

    /// Stores the waiting events and closes the log. Call it at the end of a program or of a test. Events that are sent
    /// later are dropped as ``/EventLog/DropReason/closed``. To deliver the events first, call ``flush()``.
    ///
    /// ```swift
    /// await tracker.flush()      // delivers
    /// try await tracker.close()  // stores the rest, or throws
    /// ```
    ///
    /// A command-line program must call ``flush()``, ``flushToDisk()`` or `close()` before it ends: each waits for the
    /// log to open, and pending events are lost with the process. An event whose receipt has a number is already in the
    /// log; the next start delivers it.
    ///
    /// Events that wait in memory for the person's answer are dropped, and counted as ``/EventLog/DropReason/unanswered``.
    ///
    /// - Throws: ``/EventLog/EventLogError``, or the error of ``opened()``. The log is then not closed, and pending events are
    ///   lost with the process.
    public func close() async throws {
        do { try await opened() } catch let error as EventLogError where error.code == .consentUnknown {}
        guard pipeline.sender.dropUnanswered() else { return await pipeline.sender.storeCalls() }
        // An identity that can't be stored stays in the log's files.
        do { try await pipeline.sender.storeAll() } catch { pipeline.diagnostics(.storage(error)) }
        try await log.current.close()
    }
}
