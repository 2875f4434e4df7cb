internal import EventLog
internal import EventModel
internal import Primitives

/// Turns events into containers and appends them to the log. An environment has one pipeline.
///
/// A `send` first checks and encodes the event without a lock, since an event's own `encode(to:)` may take long, or
/// send. Then, under the locks of the dispatcher and the log, it chooses session, id and number, and assembles the line
/// from encoded parts in the log's own memory. The call does no I/O.
///
/// The order of locks: dispatcher, log, `sender`.
final class TrackingPipeline: Sendable {
    /// The values that determine the envelope context of the next event.
    struct Sender {
        var session: SessionRule
        var userID: String
        var deviceID: String
        /// The users who have opted out in this environment while the log has not stored it yet, with the number of
        /// each answer.
        var refusals: [String: UInt64] = [:]
        var lastRefusal: UInt64 = 0
        /// The number of resets of the environment.
        var resets = 0
        /// The device and the user, for an environment that was made before its storage could be read.
        var adopted: (deviceID: String, userID: String)?
        /// The context of the previous event, unless something has changed since.
        var envelopeContext: EnvelopeContext?
    }

    /// The values that the next event shares with the previous one, as long as nothing changes.
    struct Current {
        /// The generation of the log and the count of sender changes for which it was looked up.
        var generation: UInt64
        var senderChanges: Int
        /// The context of the last line. nil before the first event, and while the user has opted out.
        var envelopeContext: EnvelopeContext?
        /// The time of the last event. ``Sender/session`` receives it when it is needed there.
        var last: EventTime
        /// When the session has its maximum length.
        var sessionExpiry = EventTime(microseconds: 0)
        /// The log's install id, and the log's generation when it was read.
        var installID: String
        var installGeneration: UInt64
        /// Whether the log may have continued as a new install since the install id was read.
        var isInstallStale = false
    }

    /// The log, or its placeholder until it is open. For work that is not done for each event.
    let log: any EventStore
    /// The log itself, once it is open: appending then bypasses the placeholder. Replaced at most once, and not
    /// released before this object, so a loaded reference needs no retain.
    private let direct: Atomic<Unmanaged<DirectLog>>
    private let former: DirectLog
    let clock: any TrackingClock
    let ids: any TrackingIDs
    let context: TrackingContext?
    private let rate: SendingRate
    let flusher: EnvironmentFlusher
    /// The events sent before the log was open; nil if it was open from the start.
    let held: HeldEvents?
    /// The remote switches in effect; nil usually. An event needs one load as long as there are none.
    let activeSwitches = Atomic<Unmanaged<ActiveSwitches>?>(nil)
    /// All switches that were in effect, released with this object.
    let keptSwitches = Locked<[ActiveSwitches]>([])
    /// Keeps the remote switches up to date; nil without them.
    let switchesUpdater = AtomicLazyReference<SwitchesUpdater>()
    /// Whether the app is active.
    let presence = AppPresence()
    let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let kinds: EventKinds
    /// Whether new users must agree first: their events are kept then, and not delivered.
    let requiresConsent: Bool
    let optedOut = Atomic(false)
    /// The generation of the log's consents to which ``optedOut`` belongs.
    let consentGeneration = Atomic<UInt64>(0)
    let sender: Locked<Sender>
    /// Counts the changes of `sender` that affect the next event. Increment it within the lock of `sender`, after each
    /// change of user, session or consent; otherwise the next event misses the change.
    let senderChanges = Atomic(0)
    /// Not locked, so that an event needs only the locks of the dispatcher and the log. Only ``append(_:at:value:)``
    /// accesses it, under the dispatcher's lock.
    nonisolated(unsafe) let current: UnsafeMutablePointer<Current>
    /// The expected length of the next line's envelope context. If it is too short, the log is called again.
    let contextLength = Atomic(0)

    init(
        log: any EventStore, clock: any TrackingClock, ids: any TrackingIDs, context: TrackingContext?,
        limit: SendingLimit?, unplanned: UnplannedEvents, session: SessionRule, userID: String, deviceID: String,
        requiresConsent: Bool, flusher: EnvironmentFlusher, held: HeldEvents? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void
    ) {
        self.log = log
        former = DirectLog(log)
        direct = Atomic(Unmanaged.passRetained(former))
        self.clock = clock
        self.ids = ids
        self.context = context
        self.flusher = flusher
        self.held = held
        self.diagnostics = diagnostics
        rate = SendingRate(limit)
        kinds = EventKinds(context: context, unplanned: unplanned)
        self.requiresConsent = requiresConsent
        sender = Locked(
            Sender(session: session, userID: userID, deviceID: deviceID))
        current = .allocate(capacity: 1)
        // Before the identity is read: a change after that is seen at the next event.
        let generation = log.consentGeneration
        current.initialize(
            to: Current(
                generation: generation, senderChanges: 0, envelopeContext: nil, last: EventTime(microseconds: 0),
                installID: log.installID, installGeneration: generation))
        expectEnvelopeContext(of: userID)
    }

    deinit {
        direct.load(ordering: .acquiring).release()
        current.deinitialize(count: 1)
        current.deallocate()
    }

    /// Appends directly to the log from now on.
    func useDirectly(_ log: any EventStore) {
        let direct = Unmanaged.passRetained(DirectLog(log))
        self.direct.exchange(direct, ordering: .acquiringAndReleasing).release()  // `former` keeps it
    }

    /// Performs an operation on the log itself.
    @inline(__always)
    func withLog<Result>(_ body: (any EventStore) -> Result) -> Result {
        direct.load(ordering: .acquiring)._withUnsafeGuaranteedRef { body($0.log) }
    }

    /// Changes whenever a consent or the install changes.
    @inline(__always)
    var logGeneration: UInt64 { withLog { $0.consentGeneration } }

    var now: EventTime { clock.now }

    /// The reason to drop an event before it is encoded; nil if there is none.
    func dropReason<Event: TrackingEvent>(of event: Event.Type, at time: EventTime) -> DropReason? {
        if isOptedOut { return .optedOut }
        if activeSwitches.load(ordering: .relaxed) != nil,
            let reason = dropReason(ofSwitchedEvent: event.name, at: time)
        {
            return reason
        }
        return rate.allows(at: time) ? nil : .runaway
    }

    func kind<Event: TrackingEvent>(of event: Event.Type) -> Unmanaged<EventKind> { kinds.kind(of: event) }

    func expectEnvelopeContext(of userID: String) {
        let anySession = String(repeating: "0", count: 36)
        let expected = EnvelopeContext(
            installID: log.installID, sessionID: anySession, userID: userID, context: context)
        contextLength.store(expected.length, ordering: .relaxed)
    }

    func wasSent(_ kind: EventKind) { flusher.eventWasSent(isBackground: kind.isBackground) }

    func drop(_ name: String, _ reason: DropReason, at time: EventTime) {
        log.recordDrop(reason, at: time)
        diagnostics(.dropped(eventName: name, reason: reason))
    }

    func report(_ error: TrackingEventError, of name: String) { diagnostics(.outOfLimits(eventName: name, error)) }

    func report(_ failure: EncodingFailure, of name: String) {
        diagnostics(.notEncodable(eventName: name, path: failure.path, reason: failure.reason))
    }

    func setUser(_ userID: String) {
        changeSender { sender in
            sender.userID = userID
            sender.envelopeContext = nil
        }
        lookUpConsent()
        expectEnvelopeContext(of: userID)
    }

    /// Sets the user to a new id of the device, and ends the session. Returns the session that ended, if there was one.
    func startOver(as deviceID: String) -> String? {
        defer {
            lookUpConsent()
            expectEnvelopeContext(of: deviceID)
        }
        return changeSender { sender in
            (sender.userID, sender.deviceID) = (deviceID, deviceID)
            sender.resets += 1
            sender.envelopeContext = nil
            return sender.session.end()
        }
    }

    /// Changes the values that determine the next event's context.
    func changeSender<Result>(_ change: (inout Sender) -> Result) -> Result {
        sender.withLock { sender in
            defer { senderChanges.wrappingAdd(1, ordering: .releasing) }
            return change(&sender)
        }
    }

    /// The user's id and the device's id. Events sent before the user was identified have the device's id.
    var ownUserIDs: [String] {
        sender.withLock { $0.userID == $0.deviceID ? [$0.userID] : [$0.userID, $0.deviceID] }
    }

    var durability: Durability { withLog { $0.durability } }

}

/// A log behind a single pointer.
private final class DirectLog: Sendable {
    let log: any EventStore

    init(_ log: any EventStore) { self.log = log }
}
