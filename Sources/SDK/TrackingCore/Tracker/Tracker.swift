public import EventLog
public import Flux

/// Sends events, identifies users, opts out and flushes: the API that an app calls to track.
///
/// ```swift
/// let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: key))
/// tracker.send(.checkoutCompleted(items: 3))
/// ```
///
/// Copies refer to the same tracker. Call the methods on any thread.
public struct Tracker: Sendable {
    static let userKey = "user_id"
    static let endedSessionKey = "ended_session"

    /// The Tracking triple behind this tracker.
    public let domain: TrackingDomain
    /// The Device triple.
    let device: DeviceDomain
    let pipeline: TrackingPipeline
    private let flusher: EnvironmentFlusher
    let log: any EventStore
    private let storage: any KeyValueStorage
    let tape: EnvironmentTape?
    let answers = ConsentAnswers()
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void

    /// - Parameters:
    ///   - containers: Dispatches the sent events. Its existing subscribers receive each event first.
    ///   - held: Holds the events that are sent before the log is open; nil if it is open.
    /// - Throws: The storage's error if the storage can't be read.
    init(
        _ dependencies: RecordedDependencies, containers: FluxDispatcher<TrackingContainer>,
        flusher: EnvironmentFlusher, held: HeldEvents? = nil, sendingLimit: SendingLimit?,
        unplanned: UnplannedEvents = .rejected, session: SessionStart,
        consent: ConsentPolicy, context: TrackingContext?, tape: EnvironmentTape? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) throws {
        (log, storage) = (dependencies.log, dependencies.storage)
        (self.flusher, self.tape, self.diagnostics) = (flusher, tape, diagnostics)
        let devices = FluxDispatcher<DeviceAction>()
        tape?.observe(devices, as: "device")
        tape?.observe(containers, as: TapeEntry.tracking)

        device = DeviceDomain(
            DeviceActionCreator(
                dispatcher: devices, storage: storage, ids: dependencies.ids, diagnostics: diagnostics),
            initial: DeviceState()
        ) { state, action in state.deviceID = action.deviceID }
        let deviceID = try device.actionCreator.load()

        let newestSession = try session.rule(log, storage)
        let rule = tape.map { SessionRule($0.value("session") { newestSession.start }) } ?? newestSession
        let userID = try storage.string(forKey: Self.userKey) ?? deviceID
        tape?.setUser(userID)

        pipeline = TrackingPipeline(
            log: log, clock: dependencies.clock, ids: dependencies.ids, context: context, limit: sendingLimit,
            unplanned: unplanned,
            session: rule, userID: userID, deviceID: deviceID, requiresConsent: consent == .required, flusher: flusher,
            held: held, diagnostics: diagnostics)
        if consent == .required {
            for user in pipeline.ownUserIDs where user != DeferredStorage.unknownDeviceID {
                log.requireConsent(of: user)
            }
        }
        domain = TrackingDomain(
            TrackingActionCreator(dispatcher: containers, pipeline: pipeline), initial: TrackingState()
        ) { state, container in state.add(container) }
        // Necessary because the process may have ended between an opt-out and the removal.
        if held == nil, pipeline.isOptedOut { Task { [self] in await repeatOptOut() } }
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
    /// - Throws: ``/EventLog/EventLogError``, or the error that prevents opening the log. The event was accepted in this case,
    ///   too, and is stored as soon as possible: sending it again would create a duplicate.
    @discardableResult
    public func send<Event: TrackingEvent>(
        _ event: Event, reaching durability: Durability
    ) async throws -> TrackingReceipt? {
        let claim = pipeline.held?.isHolding == true ? HeldEventClaim() : nil
        guard var receipt = domain.actionCreator.send(event, claim: claim) else { return nil }
        if receipt.isPending, durability > .buffered, let claim {
            guard let numbered = try await claim.receipt() else { return nil }
            receipt = numbered
        }
        guard receipt.durability < durability else { return receipt }
        switch durability {
        case .buffered: break
        case .survivesProcessKill: try await log.commit()
        case .survivesPowerLoss: try await log.flushToDisk()
        }
        return receipt.reaching(durability)
    }

    /// Sets the user of all later events. The user survives a restart.
    ///
    /// - Parameter userID: 1 to 128 characters. Other values are ignored.
    /// - Returns: Whether the user was set.
    @discardableResult
    public func identify(_ userID: String) -> Bool {
        guard !userID.isEmpty, userID.unicodeScalars.count <= 128 else { return false }
        tape?.setUser(userID)
        // A user who had only the device's id until now is the same person.
        passConsentOn(to: userID, isSamePerson: pipeline.ownUserIDs.count == 1)
        store(userID, forKey: Self.userKey)
        pipeline.setUser(userID)
        return true
    }

    /// Forgets the user: sets a new device id, and starts a new session with the next event. The install stays the
    /// same.
    public func reset() {
        store(nil, forKey: Self.userKey)
        let userID = device.actionCreator.renew()
        tape?.setUser(userID)
        passConsentOn(to: userID, isSamePerson: false)
        if let ended = pipeline.startOver(as: userID) { store(ended, forKey: Self.endedSessionKey) }
    }

    /// Delivers pending events to each sink. Returns when every sink has them or has reported an error.
    ///
    /// Waits for the log to open first. If the log can't be opened, `flush()` returns after the attempt without
    /// delivering; the error was reported to the tracker's diagnostics, and ``close()`` throws it. If the device has
    /// not been unlocked since its restart, `flush()` waits until the user unlocks it; see ``DeviceLockedError``.
    public func flush() async { await flusher.flush() }

    /// Returns when all events so far are on the disk and survive a power failure. At that point, pending events have
    /// their numbers.
    ///
    /// - Throws: ``/EventLog/EventLogError``, or the error that prevents reading the identity or opening the log, after
    ///   the first failed attempt: a file blocks the folder's path, permission is denied, a newer version wrote the
    ///   database. Pending events then wait in memory, and opening is retried. If the device has not been unlocked
    ///   since its restart, `flushToDisk()` waits until the user unlocks it; see ``DeviceLockedError``.
    public func flushToDisk() async throws {
        await pipeline.held?.awaitEnd()
        try await log.flushToDisk()
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
    /// - Throws: ``/EventLog/EventLogError``, or the error that prevents reading the identity or opening the log, like
    ///   ``flushToDisk()``. After an error, the log is not closed, and pending events are lost with the process.
    public func close() async throws {
        await pipeline.held?.awaitEnd()
        try await log.close()
    }

    /// Stores a value that must survive a restart, or reports the error.
    func store(_ value: String?, forKey key: String) {
        do { try storage.set(value, forKey: key) } catch { diagnostics(.storage(error)) }
    }
}
