public import EventLog
public import Flux

/// What an app calls to track: send, identify, opt out, flush.
///
/// ```swift
/// tracking.send(.search(query: "flux", page: 1))
/// ```
///
/// Any method may be called from any thread.
public struct Tracker: Sendable {
    static let userKey = "user_id"
    static let endedSessionKey = "ended_session"

    /// The Tracking triple behind this model.
    public let domain: TrackingDomain
    private let device: DeviceActionCreator
    let pipeline: TrackingPipeline
    private let flusher: EnvironmentFlusher
    let log: any EventStore
    private let storage: any KeyValueStorage
    let tape: EnvironmentTape?
    let answers = ConsentAnswers()
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void

    init(
        domain: TrackingDomain, device: DeviceActionCreator, pipeline: TrackingPipeline, flusher: EnvironmentFlusher,
        log: any EventStore, storage: any KeyValueStorage, tape: EnvironmentTape?,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.domain = domain
        self.device = device
        self.pipeline = pipeline
        self.flusher = flusher
        self.log = log
        self.storage = storage
        self.tape = tape
        self.diagnostics = diagnostics
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
    ///   user opted out, a runaway loop, or no memory left for waiting events. Drops are counted and reported. While the log
    ///   is not open, the event waits in memory, and its receipt is pending, see ``TrackingReceipt/isPending``.
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
        let userID = device.renew()
        tape?.setUser(userID)
        passConsentOn(to: userID, isSamePerson: false)
        if let ended = pipeline.startOver(as: userID) { store(ended, forKey: Self.endedSessionKey) }
    }

    /// Delivers what each sink has not had yet. Returns when every sink has it, or has said why not.
    public func flush() async { await flusher.flush() }

    /// Returns when every event so far is on the disk: it survives a power failure.
    ///
    /// - Throws: ``EventLogError``; the events wait in memory then.
    public func flushToDisk() async throws { try await log.flushToDisk() }

    /// Stores what must survive a restart, or reports that it was not.
    func store(_ value: String?, forKey key: String) {
        do { try storage.set(value, forKey: key) } catch { diagnostics(.storage(error)) }
    }
}
