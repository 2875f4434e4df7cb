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
    private struct Current {
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
    private let optedOut: Atomic<Bool>
    /// The generation of the log's consents that ``optedOut`` belongs to.
    private let consentGeneration = Atomic<UInt64>(0)
    let sender: Locked<Sender>
    /// Counts the changes of `sender` that decide about the next event: within its lock, after the change. Whoever changes
    /// user, session or consent must raise it, or the next event does not see it.
    private let senderChanges = Atomic(0)
    /// So that an event takes no lock beside the dispatcher's and the log's. Only ``append(_:at:value:)`` touches it, under
    /// the dispatcher's lock.
    private nonisolated(unsafe) let current: UnsafeMutablePointer<Current>
    /// How long the surroundings of the next line will be, as far as that is known before it has its place. If it
    /// is not enough, the log is asked again.
    private let surroundingsLength = Atomic(0)

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
    private func withLog<Result>(_ body: (any EventStore) -> Result) -> Result {
        direct.load(ordering: .acquiring)._withUnsafeGuaranteedRef { body($0.log) }
    }

    /// Changes with each change of consents, and of the install.
    @inline(__always)
    private var logGeneration: UInt64 { withLog { $0.consentGeneration } }

    var now: EventTime { clock.now }

    /// Why an event is not even encoded; nil if it is.
    func refusal(at time: EventTime) -> DropReason? {
        if isOptedOut { return .optedOut }
        return rate.allows(at: time) ? nil : .runaway
    }

    func kind<Event: TrackingEvent>(of event: Event.Type) -> Unmanaged<EventKind> { kinds.kind(of: event) }

    /// Where an event has come to stand.
    struct Appended {
        let id: EventID
        let seq: Int64
        /// ``current`` keeps them until the next event is appended, for which the dispatcher's lock must be given back.
        let envelopeContext: Unmanaged<EnvelopeContext>
    }

    /// What an attempt to append has come to.
    enum Outcome {
        case appended(Appended)
        case dropped(DropReason)
        /// The surroundings are longer than was expected; so many bytes are enough for the line as it is now.
        case needsRoom(Int)
        /// The number may be another install's than the identity that was asked for.
        case needsInstall
    }

    /// Draws an event's place and appends it. Runs under the dispatcher's lock.
    ///
    /// - Parameter value: The event's encoded value; empty if it carries none.
    /// - Returns: Where the event stands, for as long as the lock is held, or why it was not taken; never
    ///   ``Outcome/needsRoom(_:)`` or ``Outcome/needsInstall``.
    func append(_ kind: EventKind, at time: EventTime, value: UnsafeRawBufferPointer) -> Outcome {
        guard value.count <= TrackingContainer.maximumLineLength else { return .dropped(.tooLarge) }
        let expected = room(for: kind, value, envelopeContext: surroundingsLength.load(ordering: .relaxed))
        var outcome = attempt(kind, at: time, value: value, room: expected)
        // A second attempt is enough unless another thread sets a longer user in between. Each one asks for more, and
        // what the longest line needs is always enough.
        var room = expected
        while true {
            switch outcome {
            case .needsRoom(let needed): room = needed
            case .needsInstall: lookUpConsent()
            case .appended, .dropped: return outcome
            }
            outcome = attempt(kind, at: time, value: value, room: room)
        }
    }

    /// How many bytes to ask the log for.
    @inline(__always)
    func room(for kind: EventKind, _ value: UnsafeRawBufferPointer, envelopeContext: Int) -> Int {
        min(
            TrackingContainer.maximumLineLength,
            ContainerLine.sufficientLength(envelopeContext: envelopeContext, kind: kind, value: value.count))
    }

    /// Asks the log once, for a line of at most `room` bytes.
    @inline(__always)
    private func attempt(
        _ kind: EventKind, at time: EventTime, value: UnsafeRawBufferPointer, room: Int
    ) -> Outcome {
        // Not while the log's lock is held: a log may have to take it for the answer.
        if current.pointee.installGeneration != consentGeneration.load(ordering: .relaxed) { lookUpInstall() }
        var outcome = Outcome.dropped(.closed)  // unless the log asks for the line
        let result = withLog { log in
            log.append(lineCapacity: room, priority: kind.priority) { seq, line in
                // A log may ask a second time, for another number: the last answer counts.
                let stamp: EventStamp?
                (outcome, stamp) = fill(kind, at: time, value: value, seq: seq, in: line, room: room)
                return stamp
            }
        }
        switch (result, outcome) {
        case (.success, .appended): return outcome
        case (.success, _): return .dropped(.closed)
        case (.failure, .needsRoom), (.failure, .needsInstall): return outcome
        case (.failure(let drop), .dropped(let reason)): return .dropped(drop.reason ?? reason)
        case (.failure(let drop), .appended): return .dropped(drop.reason ?? .closed)
        }
    }

    @inline(never)
    private func lookUpInstall() {
        // Before the identity: a change after that is seen at the next event.
        current.pointee.installGeneration = log.consentGeneration
        current.pointee.installID = log.installID
    }

    /// Draws session and id, and writes the line. Runs under the log's lock.
    @inline(__always)
    private func fill(
        _ kind: EventKind, at time: EventTime, value: UnsafeRawBufferPointer, seq: Int64,
        in line: UnsafeMutableRawBufferPointer, room: Int
    ) -> (Outcome, EventStamp?) {
        // The user may have opted out while the event was being encoded.
        guard let envelopeContext = envelopeContext(at: time) else {
            return (current.pointee.isInstallStale ? .needsInstall : .dropped(.optedOut), nil)
        }
        // They stay in `current` meanwhile, so they need no count of their own.
        return envelopeContext._withUnsafeGuaranteedRef { shared in
            let needed = self.room(for: kind, value, envelopeContext: shared.length)
            guard needed <= room else { return (.needsRoom(needed), nil) }
            let id = ids.eventID(at: time)
            let length = ContainerLine.write(
                id: id, seq: seq, time: time, envelopeContext: shared, kind: kind, value: value, to: line,
                limit: TrackingContainer.maximumLineLength)
            guard let length else { return (.dropped(.tooLarge), nil) }
            return (
                .appended(Appended(id: id, seq: seq, envelopeContext: envelopeContext)),
                EventStamp(id: id, time: time, name: kind.name, lineLength: length)
            )
        }
    }

    /// The surroundings of an event at a time: those of the event before, as a rule. nil if the user is opted out.
    @inline(__always)
    private func envelopeContext(at time: EventTime) -> Unmanaged<EnvelopeContext>? {
        let generation = logGeneration
        if generation == current.pointee.generation,
            senderChanges.load(ordering: .acquiring) == current.pointee.senderChanges,
            SessionRule.surelyHolds(at: time, after: current.pointee.last),
            let envelopeContext = current.pointee.envelopeContext
        {
            current.pointee.last = max(current.pointee.last, time)
            return Unmanaged.passUnretained(envelopeContext)
        }
        return newSurroundings(at: time, generation)
    }

    /// The same when something may have changed since the event before.
    @inline(never)
    private func newSurroundings(at time: EventTime, _ generation: UInt64) -> Unmanaged<EnvelopeContext>? {
        // Line and number must be of one install. It is asked for outside of the log's lock.
        current.pointee.isInstallStale = current.pointee.installGeneration != generation
        if current.pointee.isInstallStale { return nil }
        return sender.withLock { sender in
            if current.pointee.envelopeContext != nil { sender.session.passed(current.pointee.last) }
            current.pointee.envelopeContext = nil
            lookUpConsent(of: sender, generation)
            guard !optedOut.load(ordering: .relaxed) else { return nil }
            let made = envelopeContext(at: time, in: &sender)
            current.pointee.generation = generation
            current.pointee.senderChanges = senderChanges.load(ordering: .relaxed)
            (current.pointee.envelopeContext, current.pointee.last) = (made, sender.session.last ?? time)
            return Unmanaged.passUnretained(made)
        }
    }

    private func envelopeContext(at time: EventTime, in sender: inout Sender) -> EnvelopeContext {
        let installID = current.pointee.installID
        if let last = sender.envelopeContext, last.installID == installID, sender.session.holds(at: time) {
            sender.session.passed(time)
            return last
        }
        let sessionID = sender.session.session(at: time) { ids.uuid() }
        let made = EnvelopeContext(
            installID: installID, sessionID: sessionID, userID: sender.userID, context: context)
        sender.envelopeContext = made
        surroundingsLength.store(made.length, ordering: .relaxed)
        return made
    }

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

    // MARK: Consent

    /// Looked at before an event is encoded, and looked up again before it is appended if anything has changed since: one
    /// load, as long as nobody's consent has changed.
    var isOptedOut: Bool {
        if logGeneration != consentGeneration.load(ordering: .relaxed) { lookUpConsent() }
        return optedOut.load(ordering: .acquiring)
    }

    /// Looks up what the log knows of this environment's user.
    func lookUpConsent() {
        // Before the consent is read: a change after that is seen at the next event.
        let generation = log.consentGeneration
        sender.withLock { lookUpConsent(of: $0, generation) }
    }

    private func lookUpConsent(of sender: Sender, _ generation: UInt64) {
        optedOut.store(consent(of: sender.userID, sender) == .denied, ordering: .releasing)
        consentGeneration.store(generation, ordering: .relaxed)
    }

    /// Notes that users have opted out: holds until ``forgetRefusal(_:of:)``, by when the log knows.
    ///
    /// - Returns: This answer's number.
    @discardableResult
    func refuse(for userIDs: [String]) -> UInt64 {
        defer { lookUpConsent() }
        return changeSender { sender in
            sender.lastRefusal += 1
            for userID in userIDs { sender.refusals[userID] = sender.lastRefusal }
            return sender.lastRefusal
        }
    }

    /// Leaves the answer to the log from now on.
    ///
    /// - Parameter number: The answer's; a later one stays. Nil for any.
    func forgetRefusal(_ number: UInt64?, of userIDs: [String]) {
        changeSender { sender in
            for userID in userIDs where number == nil || sender.refusals[userID] == number {
                sender.refusals[userID] = nil
            }
        }
        lookUpConsent()
    }

    /// What is known of the user.
    var consent: Consent { sender.withLock { sender in consent(of: sender.userID, sender) } }

    /// What is known of a user of this environment.
    func consent(of userID: String) -> Consent { sender.withLock { sender in consent(of: userID, sender) } }

    private func consent(of userID: String, _ sender: Sender) -> Consent {
        if sender.refusals[userID] != nil { return .denied }
        return log.consent(of: userID) ?? (requiresConsent ? .unknown : .granted)
    }
}

/// A log, where a single pointer finds it.
private final class DirectLog: Sendable {
    let log: any EventStore

    init(_ log: any EventStore) { self.log = log }
}
