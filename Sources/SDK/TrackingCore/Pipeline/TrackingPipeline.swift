internal import EventLog
internal import EventModel
internal import Primitives

/// Turns events into containers and appends them to the log. One for an environment.
///
/// The order of work in a `send`: checks and encoding on the caller's time, without a lock (an event's own
/// `encode(to:)` may take long, or send); then, under the dispatcher's and the log's lock, session, id and number
/// are drawn and the line is put together from encoded parts, in the log's own memory. No I/O happens in the call.
///
/// The order of locks: dispatcher, log, `sender`.
final class TrackingPipeline: Sendable {
    /// What decides about the surroundings of the next event.
    struct Sender {
        var session: SessionRule
        var userID: String
        var deviceID: String
        /// The users for whom this environment was told of a refusal that the log does not know yet; each with the
        /// number of that answer.
        var refusals: [String: UInt64] = [:]
        var lastRefusal: UInt64 = 0
        /// How often the environment was reset.
        var resets = 0
        /// Who the device and the user are, for an environment that was made before its storage could be read.
        var adopted: (deviceID: String, userID: String)?
        /// Those of the event before, unless something has changed since.
        var envelopeContext: EnvelopeContext?
    }

    /// What the next event has in common with the one before, as long as nothing says otherwise.
    struct Current {
        /// The log's generation and the place's changes that it was looked up for.
        var generation: UInt64
        var senderChanges: Int
        /// Those of the last line. nil before the first event, and while the user is opted out.
        var envelopeContext: EnvelopeContext?
        /// The time of the last event: ``Sender/session`` hears of it when it is needed there.
        var last: EventTime
        /// The log's identity, and the log's generation that it was asked for.
        var installID: String
        var installGeneration: UInt64
        /// The log may go on as another install since the identity was asked for.
        var isInstallStale = false
    }

    /// The log, or what stands for it until it is open. For what does not happen at each event.
    let log: any EventStore
    /// The log itself, as soon as it is open: an event takes no detour through the placeholder. Replaced once at most, and
    /// nothing that was stored here goes before this does, so what is loaded needs no count of its own.
    private let direct: Atomic<Unmanaged<DirectLog>>
    private let former: DirectLog
    let clock: any TrackingClock
    let ids: any TrackingIDs
    let context: TrackingContext?
    private let rate: SendingRate
    private let flusher: EnvironmentFlusher
    /// What is sent before the log is open; nil if it was open from the start.
    let held: HeldEvents?
    /// Whether the app is in front of its user.
    let presence = AppPresence()
    private let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let kinds: EventKinds
    /// Whether nothing is said of a user who is new: events are kept then, and not delivered.
    let requiresConsent: Bool
    /// Whether a former version has stored an opt-out.
    let hasFormerOptOut: Atomic<Bool>
    let optedOut: Atomic<Bool>
    /// The generation of the log's consents that ``optedOut`` belongs to.
    let consentGeneration = Atomic<UInt64>(0)
    let sender: Locked<Sender>
    /// Counts the changes of `sender` that decide about the next event: within its lock, after the change. Whoever changes
    /// user, session or consent must raise it, or the next event does not see it.
    let senderChanges = Atomic(0)
    /// So that an event takes no lock beside the dispatcher's and the log's. Only ``append(_:at:value:)`` touches it, under
    /// the dispatcher's lock.
    nonisolated(unsafe) let current: UnsafeMutablePointer<Current>
    /// How long the surroundings of the next line will be, as far as that is known before it has its place. If it
    /// is not enough, the log is asked again.
    let surroundingsLength = Atomic(0)

    init(
        log: any EventStore, clock: any TrackingClock, ids: any TrackingIDs, context: TrackingContext?,
        limit: SendingLimit?, unplanned: UnplannedEvents, session: SessionRule, userID: String, deviceID: String,
        isOptedOut: Bool,
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
        hasFormerOptOut = Atomic(isOptedOut)
        optedOut = Atomic(isOptedOut)
        sender = Locked(
            Sender(session: session, userID: userID, deviceID: deviceID))
        current = .allocate(capacity: 1)
        // Before the identity: a change after that is seen at the next event.
        let generation = log.consentGeneration
        current.initialize(
            to: Current(
                generation: generation, senderChanges: 0, envelopeContext: nil, last: EventTime(microseconds: 0),
                installID: log.installID, installGeneration: generation))
        if isOptedOut { refuse(for: ownUserIDs) }
        expectEnvelopeContext(of: userID)
    }

    deinit {
        direct.load(ordering: .acquiring).release()
        current.deinitialize(count: 1)
        current.deallocate()
    }

    /// Appends to the log itself from now on.
    func useDirectly(_ log: any EventStore) {
        let direct = Unmanaged.passRetained(DirectLog(log))
        self.direct.exchange(direct, ordering: .acquiringAndReleasing).release()  // `former` keeps it
    }

    /// Does something with the log itself.
    @inline(__always)
    func withLog<Result>(_ body: (any EventStore) -> Result) -> Result {
        direct.load(ordering: .acquiring)._withUnsafeGuaranteedRef { body($0.log) }
    }

    /// Changes with each change of consents, and of the install.
    @inline(__always)
    var logGeneration: UInt64 { withLog { $0.consentGeneration } }

    var now: EventTime { clock.now }

    /// Why an event is not even encoded; nil if it is.
    func refusal(at time: EventTime) -> DropReason? {
        if isOptedOut { return .optedOut }
        return rate.allows(at: time) ? nil : .runaway
    }

    func kind<Event: TrackingEvent>(of event: Event.Type) -> Unmanaged<EventKind> { kinds.kind(of: event) }

    func expectEnvelopeContext(of userID: String) {
        let anySession = String(repeating: "0", count: 36)
        let expected = EnvelopeContext(
            installID: log.installID, sessionID: anySession, userID: userID, context: context)
        surroundingsLength.store(expected.length, ordering: .relaxed)
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

    /// Sets the user, by a new id of the device, and ends the session; gives the session that ended, if there was one.
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

    /// Changes what decides about the next event.
    func changeSender<Result>(_ change: (inout Sender) -> Result) -> Result {
        sender.withLock { sender in
            defer { senderChanges.wrappingAdd(1, ordering: .releasing) }
            return change(&sender)
        }
    }

    /// The user's id, and that of the device, under which events stand that were sent before there was a user.
    var ownUserIDs: [String] {
        sender.withLock { $0.userID == $0.deviceID ? [$0.userID] : [$0.userID, $0.deviceID] }
    }

    var durability: Durability { withLog { $0.durability } }

}

/// A log, where a single pointer finds it.
private final class DirectLog: Sendable {
    let log: any EventStore

    init(_ log: any EventStore) { self.log = log }
}
