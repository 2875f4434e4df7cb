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

/// The purposes that a user has denied.
struct UserConsents: Sendable {
    /// The user's ``/EventLog/ConsentPerson/key``; 0 before it is computed.
    var key: UInt64 = 0
    /// The bits of the denied purposes, and of those that were looked up.
    var denied: Int32 = 0
    var known: Int32 = 0
    /// The generation of the log when they were looked up; 0 before.
    var generation: UInt64 = 0

    /// Whether nothing has changed since they were looked up.
    @inline(__always)
    func isCurrent(for kind: EventKind, at generation: UInt64) -> Bool {
        self.generation == generation && kind.purposeBit & ~Int(known) == 0
    }

    @inline(__always)
    func allows(_ kind: EventKind) -> Bool { Int(denied) & kind.purposeBit == 0 }
}

/// A user's event while it is sent.
struct UserSend {
    let user: User
    private var consents = UserConsents()

    init(_ user: User) { self.user = user }

    /// Whether the user has not denied the event's purpose. Called before the event is encoded, without a lock held.
    mutating func mayStore(_ kind: EventKind, in pipeline: TrackingPipeline) -> Bool {
        if pipeline.sender.isHolding { return !pipeline.sender.isDeniedWhileHolding(kind.purpose, of: user.id) }
        consents = pipeline.users.consents(of: user)
        if !consents.isCurrent(for: kind, at: pipeline.logGeneration) {
            consents = pipeline.sender.consents(of: user, key: consents.key)
            pipeline.sender.runLateEffects()
        }
        return consents.allows(kind)
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
        if !consents.isCurrent(for: kind, at: generation) {
            consents = pipeline.sender.consents(of: user, key: consents.key)
        }
        guard consents.allows(kind) else { return nil }
        return pipeline.users.envelopeContext(of: user, at: time, install, consents, pipeline.ids)
    }
}

extension TrackingPipeline {
    /// Whether a user, or the present person, has not denied an event's purpose.
    @inline(__always)
    func maySend(_ kind: EventKind, by user: UnsafeMutablePointer<UserSend>?) -> Bool {
        if let user { return user.pointee.mayStore(kind, in: self) }
        return sender.isHolding
            ? !sender.isDeniedWhileHolding(kind.purpose)
            : sender.deniedPurposes(at: logGeneration) & kind.purposeBit == 0
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
    /// Looks up what a user has denied. Call ``runLateEffects()`` later, without a lock held.
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
        let (purposes, effects) = state.withLock { ($0.purposes, $0.startUsers(log)) }
        runLater(effects)
        let denied =
            log.deniedPurposes(of: person, among: purposes)
            ?? state.withLock { state in
                purposes.indices.reduce(0) { bits, index in
                    state.rule(log, purposes[index], of: user.id).mayStore ? bits : bits | 1 << index
                }
            }
        return UserConsents(
            key: person.key, denied: Int32(denied), known: Int32(1 << purposes.count - 1), generation: generation)
    }
}
