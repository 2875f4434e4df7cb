public import EventLog
public import Flux

/// What an app calls to track: send, identify, opt out, flush.
///
/// ```swift
/// let tracker = Tracker.start(.http("https://collector.example.com/v1/events", key: key))
/// tracker.send(.checkoutCompleted(items: 3))
/// ```
///
/// Copies are the same tracker. Any method may be called from any thread.
public struct Tracker: Sendable {
    static let userKey = "user_id"
    static let endedSessionKey = "ended_session"

    /// The Tracking triple behind this model.
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
    ///   - containers: Passes on what is sent; its subscribers so far are the first to see an event.
    ///   - held: Holds what is sent before the log is open; nil if it is open.
    /// - Throws: What the storage throws if it can't be read.
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

        let isOptedOut = try storage.string(forKey: Self.optOutKey) != nil
        let newestSession = try session.rule(log, storage)
        let rule = tape.map { SessionRule($0.value("session") { newestSession.start }) } ?? newestSession
        let userID = try storage.string(forKey: Self.userKey) ?? deviceID
        tape?.setUser(userID)

        pipeline = TrackingPipeline(
            log: log, clock: dependencies.clock, ids: dependencies.ids, context: context, limit: sendingLimit,
            unplanned: unplanned,
            session: rule, userID: userID, deviceID: deviceID, isOptedOut: isOptedOut,
            requiresConsent: consent == .required, flusher: flusher, held: held, diagnostics: diagnostics)
        if consent == .required {
            for user in pipeline.ownUserIDs where user != DeferredStorage.unknownDeviceID {
                log.requireConsent(of: user)
            }
        }
        domain = TrackingDomain(
            TrackingActionCreator(dispatcher: containers, pipeline: pipeline), initial: TrackingState()
        ) { state, container in state.add(container) }
        // Also because the process may have ended between an opt-out and the removal.
        if held == nil, pipeline.isOptedOut { Task { [self] in await migrateOptOut() } }
    }

    /// What was sent: last container, counts by event name.
    public var store: FluxStore<TrackingState, TrackingContainer> { domain.store }

    /// Passes each container on once it is in the log.
    public var dispatcher: FluxDispatcher<TrackingContainer> { domain.dispatcher }

    /// Sends an event. Never throws, never traps, never waits for a disk.
    ///
    /// When it returns, the event has its number and is in the log, as safe as the receipt says; the subscribers of
    /// ``dispatcher`` have seen it, unless another thread is delivering at this moment and shows it to them.
    ///
    /// - Returns: The event's receipt, or nil if it was dropped: not encodable, over 32 KiB, an invalid name, the
    ///   user opted out, an unplanned event that the app doesn't allow, a runaway loop, or no memory left for waiting events.
    ///   Drops are counted and reported. While the log is not open, the event waits in memory, and its receipt is pending, see ``TrackingReceipt/isPending``.
    @discardableResult
    public func send<Event: TrackingEvent>(_ event: Event) -> TrackingReceipt? {
        domain.actionCreator.send(event)
    }

    /// Sends an event and waits until it survives what is asked for.
    ///
    /// ```swift
    /// try await tracking.send(.purchase(order: id), reaching: .survivesPowerLoss)
    /// ```
    ///
    /// The event takes its place and reaches the subscribers as with ``send(_:)``, before anything is waited for.
    /// Whatever several callers wait for at once reaches the disk with one sync.
    ///
    /// - Parameter durability: What the event must survive when this returns. What the log gives at once, see
    ///   ``TrackingReceipt/durability``, is not waited for.
    /// - Returns: The event's receipt, its durability at least the one asked for; nil if the event was dropped.
    /// - Throws: ``EventLogError``, or what keeps the log from being opened. The event was taken nevertheless and is stored
    ///   as soon as that is possible: sending it again would double it.
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

    /// Sets the user of all events from now on; it survives a restart.
    ///
    /// - Parameter userID: 1 to 128 characters. Anything else is ignored and false returned.
    @discardableResult
    public func identify(_ userID: String) -> Bool {
        guard !userID.isEmpty, userID.unicodeScalars.count <= 128 else { return false }
        tape?.setUser(userID)
        // Who had only the device's id so far is the same person.
        passConsentOn(to: userID, isSamePerson: pipeline.ownUserIDs.count == 1)
        store(userID, forKey: Self.userKey)
        pipeline.setUser(userID)
        return true
    }

    /// Forgets the user: a new device id, and a new session with the next event. The install stays the same.
    public func reset() {
        store(nil, forKey: Self.userKey)
        let userID = device.actionCreator.renew()
        tape?.setUser(userID)
        passConsentOn(to: userID, isSamePerson: false)
        if let ended = pipeline.startOver(as: userID) { store(ended, forKey: Self.endedSessionKey) }
    }

    /// Delivers what each sink has not had yet. Returns when every sink has it, or has reported why not.
    ///
    /// Waits for the log to open first. If the log can't be opened, `flush()` returns after the attempt: nothing is delivered
    /// then, the error was reported to the tracker's diagnostics, and ``close()`` throws it. On a device that was not unlocked
    /// since its start, `flush()` waits for that; see ``DeviceLockedError``.
    public func flush() async { await flusher.flush() }

    /// Returns when every event so far is on the disk: it survives a power failure. Pending events have their numbers then.
    ///
    /// - Throws: ``EventLogError``, or what keeps the identity from being read or the log from being opened, after the first
    ///   attempt that fails: a file is in the way of the folder, permission is denied, a newer version wrote the database.
    ///   Pending events wait in memory then, and opening is retried. On a device that was not unlocked since its start,
    ///   `flushToDisk()` waits for that; see ``DeviceLockedError``.
    public func flushToDisk() async throws {
        await pipeline.held?.awaitEnd()
        try await log.flushToDisk()
    }

    /// Stores what waits, and closes the log: for the end of a program, or of a test. Events that are sent later are dropped
    /// as ``DropReason/closed``. Call ``flush()`` before to deliver them.
    ///
    /// ```swift
    /// await tracker.flush()      // delivers
    /// try await tracker.close()  // stores the rest, or says why it can't
    /// ```
    ///
    /// A command-line program must call ``flush()``, ``flushToDisk()`` or `close()` before it ends: each waits for the log to
    /// open, and pending events are lost with the process. An event whose receipt has a number is in the log, and needs none
    /// of them: the next start delivers it.
    ///
    /// - Throws: ``EventLogError``, or what keeps the identity from being read or the log from being opened, as
    ///   ``flushToDisk()``. The log is not closed then, and pending events are lost with the process.
    public func close() async throws {
        await pipeline.held?.awaitEnd()
        try await log.close()
    }

    /// Stores what must survive a restart, or reports that it was not.
    func store(_ value: String?, forKey key: String) {
        do { try storage.set(value, forKey: key) } catch { diagnostics(.storage(error)) }
    }
}

/// The former name of ``Tracker``.
@available(*, deprecated, renamed: "Tracker")
public typealias TrackingModel = Tracker
