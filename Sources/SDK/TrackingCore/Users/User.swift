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

    static let unknown = UserConsents()

    /// Whether nothing has changed since they were looked up.
    @inline(__always)
    func isCurrent(for kind: EventKind, at generation: UInt64) -> Bool {
        self.generation == generation && kind.restrictionBits & 0x7FFF & ~Int(known) == 0
    }

    /// What they restrict for a type of events; 0 for nothing.
    @inline(__always)
    func restrictions(of kind: EventKind) -> Int { Int(restrictions) & kind.restrictionBits }
}

extension User: EventAuthor {
    var user: User? { self }

    @inline(__always)
    func permission(for kind: EventKind, in pipeline: TrackingPipeline) -> UserConsents? {
        if pipeline.sender.isHolding {
            return pipeline.sender.dropReasonWhileHolding(kind.purpose, of: id) == nil ? .unknown : nil
        }
        var consents = pipeline.users.consents(of: self)
        if !consents.isCurrent(for: kind, at: pipeline.logGeneration) {
            consents = pipeline.sender.consents(of: self, key: consents.key)
            pipeline.sender.runLateEffects()
        }
        return EventKind.isDenied(consents.restrictions(of: kind)) ? nil : consents
    }

    @inline(__always)
    func expectedContextLength(in pipeline: TrackingPipeline) -> Int {
        // Sessions have 36 characters. An id that JSON has to escape needs a second call of the log.
        pipeline.current.pointee.install.afterID.count + ContainerLine.senderLength + 36 + id.utf8.count
    }

    @inline(__always)
    func envelopeContext(
        of kind: EventKind, at time: EventTime, _ permission: UserConsents, in pipeline: TrackingPipeline
    ) -> Unmanaged<EnvelopeContext.Buffer>? {
        let generation = pipeline.logGeneration
        guard let install = pipeline.install(at: generation) else { return nil }
        var consents = permission
        if !consents.isCurrent(for: kind, at: generation) {
            consents = pipeline.sender.consents(of: self, key: consents.key)
        }
        let restrictions = consents.restrictions(of: kind)
        guard restrictions == 0 else {
            pipeline.current.pointee.lastRestrictions = restrictions
            return nil
        }
        return pipeline.users.envelopeContext(of: self, at: time, in: install, consents: consents, ids: pipeline.ids)
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
