internal import EventLog
internal import EventModel
internal import Primitives

/// A user of `Tracker.as(user:)`.
struct User: Sendable {
    let id: String
    let hash: UInt32

    /// Unknown to clients, so that they can't choose ids with equal hashes.
    private static let seed = UInt64.random(in: .min ... .max)

    /// - Parameter id: Valid; see ``Tracker/isValid(user:)``.
    init(_ id: String) {
        var id = id
        id.makeContiguousUTF8()
        self.id = id
        hash = id.utf8.withContiguousStorageIfAvailable { Self.hash(UnsafeRawBufferPointer($0)) } ?? 0
    }

    /// Multiplies words and folds the products, like wyhash: for ids of this length several times as fast as `Hasher`.
    @inline(__always)
    private static func hash(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        var hash = seed ^ UInt64(bytes.count)
        var offset = 0
        while offset < bytes.count {
            let word =
                offset + 8 <= bytes.count
                ? bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
                : bytes[offset...].reduce(0) { $0 << 8 | UInt64($1) }
            let product = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = product.high ^ product.low &+ seed
            offset += 8
        }
        return UInt32(truncatingIfNeeded: hash ^ hash >> 32)
    }
}

/// A user's event while it is sent, or an event that has waited for an answer.
struct UserSend {
    let user: User
    /// Looked up for this event while no lock was held.
    private var consents = UserConsents()
    /// Whether the consents can't be looked up without I/O.
    private(set) var needsConsents = false
    /// The event, if it has waited for the answer of the present person: its person and its session are those of the call.
    private let waited: Waited?

    /// Most events have not waited, and are not to be larger because of this.
    private final class Waited {
        let event: WaitingEvent

        init(_ event: WaitingEvent) { self.event = event }
    }

    init(_ user: User, waited: WaitingEvent? = nil) {
        self.user = user
        self.waited = waited.map(Waited.init)
    }

    /// Whether the user has denied the event's purpose. Call it without a lock held.
    mutating func isDenied(_ kind: EventKind, in pipeline: TrackingPipeline) -> Bool {
        guard !pipeline.sender.isHolding else { return false }
        lookUpConsents(in: pipeline)
        pipeline.sender.runLateEffects()
        return EventKind.isDenied(consents.restrictions(of: kind))
    }

    /// Looks up the user's consents. Call it without a lock held.
    mutating func lookUpConsents(in pipeline: TrackingPipeline) {
        needsConsents = false
        consents = pipeline.sender.consents(of: user, key: consents.key, mayRead: true) ?? UserConsents()
    }

    /// The envelope context of the event. Called under the locks of the dispatcher and the log; alive until the next event
    /// is appended.
    ///
    /// - Returns: nil if the user has denied the purpose, if the install is to be looked up, or ``needsConsents``.
    mutating func envelopeContext(
        of kind: EventKind, at time: EventTime, in pipeline: TrackingPipeline
    ) -> Unmanaged<EnvelopeContext.Buffer>? {
        let generation = pipeline.logGeneration
        guard let install = pipeline.install(at: generation) else { return nil }
        if let waited = waited?.event {
            let made = EnvelopeContext(install, sessionID: waited.sessionID, userID: waited.person)
            pipeline.current.pointee.waited = made
            return Unmanaged.passUnretained(made.buffer)
        }
        let slot = pipeline.users.find(user)
        let known = slot?.pointee.context?.user.consents
        if let known, known.isCurrent(for: kind, at: generation) {
            consents = known
        } else if !consents.isCurrent(for: kind, at: generation) {
            let key = known?.key ?? consents.key
            guard let found = pipeline.sender.consents(of: user, key: key, mayRead: false) else {
                needsConsents = true
                return nil
            }
            consents = found
        }
        let restrictions = consents.restrictions(of: kind)
        guard restrictions == 0 else {
            pipeline.current.pointee.lastRestrictions = restrictions
            return nil
        }
        return pipeline.users.envelopeContext(
            of: user, slot, at: time, in: install, consents: consents, ids: pipeline.ids)
    }
}

extension TrackingPipeline {
    /// Whether the present person has not denied an event's purpose, nor may it only be counted. While the log is not open:
    /// also whether a user has not.
    @inline(__always)
    func maySend(_ kind: EventKind, by user: UnsafeMutablePointer<UserSend>?) -> Bool {
        if sender.isHolding { return sender.dropReasonWhileHolding(kind.purpose, of: user?.pointee.user.id) == nil }
        // A user's consents are in the cache, which is found under the dispatcher's lock.
        return user != nil || !EventKind.isDenied(sender.restrictions(at: logGeneration) & kind.restrictionBits)
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
    /// - Parameters:
    ///   - key: The user's key; 0 if it is not known.
    ///   - mayRead: Whether the database may be read.
    /// - Returns: nil if the database would have to be read.
    @inline(never)
    func consents(of user: User, key: UInt64, mayRead: Bool) -> UserConsents? {
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
        let denied = log.deniedPurposes(of: person, among: purposes)
        guard denied != nil || mayRead else { return nil }
        let restrictions =
            (storesNothing ? nil : denied) ?? state.withLock { $0.restrictions(log, of: user.id) }
        return UserConsents(
            key: person.key, generation: generation, restrictions: UInt32(restrictions),
            known: UInt16(1 << purposes.count - 1))
    }
}
