internal import EventLog
internal import EventModel
internal import Primitives

/// A user of `Tracker.as(user:)`.
struct User: Sendable {
    let id: String
    let hash: Int

    /// - Parameter id: Valid; see ``Tracker/isValid(user:)``.
    init(_ id: String) {
        var id = id
        id.makeContiguousUTF8()
        self.id = id
        var hasher = Hasher()
        id.utf8.withContiguousStorageIfAvailable { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hash = hasher.finalize()
    }
}

/// What a user's consent restricts.
struct UserConsents: Sendable {
    /// The user's ``/EventLog/ConsentPerson/key``; 0 before it is computed.
    var key: UInt64 = 0
    /// The restrictions, as in ``SenderState/restrictions(_:of:)``, and the bits of the purposes that were looked up.
    var restrictions: UInt32 = 0
    var known: Int32 = 0
    /// The generation of the log when they were looked up; 0 before.
    var generation: UInt64 = 0

    /// Whether nothing has changed since they were looked up.
    @inline(__always)
    func isCurrent(for kind: EventKind, at generation: UInt64) -> Bool {
        self.generation == generation && kind.restrictionBits & 0x7FFF & ~Int(known) == 0
    }

    /// What they restrict for a type of events; 0 for nothing.
    @inline(__always)
    func restrictions(of kind: EventKind) -> Int { Int(restrictions) & kind.restrictionBits }
}

/// A user's event while it is sent, or an event that has waited for an answer.
struct UserSend {
    let user: User
    private var consents = UserConsents()
    /// The event, if it has waited for the answer of the present person: its person and its session are those of the call.
    /// An array, because it is small if there is none.
    private let waited: [WaitingEvent]

    init(_ user: User, waited: WaitingEvent? = nil) {
        self.user = user
        self.waited = waited.map { [$0] } ?? []
    }

    /// Whether the user has not denied the event's purpose, nor may it only be counted. Called before the event is encoded,
    /// without a lock held.
    mutating func mayStore(_ kind: EventKind, in pipeline: TrackingPipeline) -> Bool {
        if pipeline.sender.isHolding { return pipeline.sender.dropReasonWhileHolding(kind.purpose, of: user.id) == nil }
        consents = pipeline.users.consents(of: user)
        if !consents.isCurrent(for: kind, at: pipeline.logGeneration) {
            consents = pipeline.sender.consents(of: user, key: consents.key)
            pipeline.sender.runLateEffects()
        }
        return !EventKind.isDenied(consents.restrictions(of: kind))
    }

    /// The envelope context of the event. Called under the locks of the dispatcher and the log; alive until the next event
    /// is appended.
    ///
    /// - Returns: nil if the user has denied the purpose meanwhile, or the install is to be looked up.
    mutating func envelopeContext(
        of kind: EventKind, at time: EventTime, in pipeline: TrackingPipeline
    ) -> Unmanaged<EnvelopeContext.Buffer>? {
        let generation = pipeline.logGeneration
        guard let install = pipeline.install(at: generation) else { return nil }
        if let waited = waited.first {
            let made = EnvelopeContext(install, sessionID: waited.sessionID, userID: waited.person)
            pipeline.current.pointee.waited = made
            return Unmanaged.passUnretained(made.buffer)
        }
        if !consents.isCurrent(for: kind, at: generation) {
            consents = pipeline.sender.consents(of: user, key: consents.key)
        }
        let restrictions = consents.restrictions(of: kind)
        guard restrictions == 0 else {
            pipeline.current.pointee.lastRestrictions = restrictions
            return nil
        }
        return pipeline.users.envelopeContext(of: user, at: time, in: install, consents: consents, ids: pipeline.ids)
    }
}

extension TrackingPipeline {
    /// Whether a user, or the present person, has not denied an event's purpose, nor may it only be counted.
    @inline(__always)
    func maySend(_ kind: EventKind, by user: UnsafeMutablePointer<UserSend>?) -> Bool {
        if let user { return user.pointee.mayStore(kind, in: self) }
        if sender.isHolding { return sender.dropReasonWhileHolding(kind.purpose) == nil }
        return !EventKind.isDenied(sender.restrictions(at: logGeneration) & kind.restrictionBits)
    }

    /// The expected length of a line's envelope context, in bytes. If it is too short, the log is called again.
    @inline(__always)
    func expectedContextLength(by user: UnsafeMutablePointer<UserSend>?) -> Int {
        guard let user else { return sender.contextLength.load(ordering: .relaxed) }
        // Sessions have 36 characters. An id that JSON has to escape needs a second call of the log.
        let install = current.pointee.install.afterID.count
        return install + ContainerLine.senderLength + 36 + user.pointee.user.id.utf8.count
    }
}

extension Sender {
    /// Looks up what a user's consent restricts. Call ``runLateEffects()`` later, without a lock held.
    ///
    /// - Parameter key: The user's key; 0 if it is not known.
    @inline(never)
    func consents(of user: User, key: UInt64) -> UserConsents {
        let log = log.current
        let person: ConsentPerson =
            switch (scope, key) {
            case (.device, _): .everyone
            case (.person, 0): ConsentPerson(user.id)
            case (.person, _): ConsentPerson(user.id, key: key)
            }
        // Before the answers are read: a change after that is seen at the next event.
        let generation = log.consentGeneration
        let (purposes, storesNothing, effects) = state.withLock { state in
            (state.purposes, state.setup.policy.storesNothingBefore, state.startUsers(log) + state.settle(log))
        }
        runLater(effects)
        let restrictions =
            (storesNothing ? nil : log.deniedPurposes(of: person, among: purposes))
            ?? state.withLock { $0.restrictions(log, of: user.id) }
        return UserConsents(
            key: person.key, restrictions: UInt32(restrictions), known: Int32(1 << purposes.count - 1),
            generation: generation)
    }
}
