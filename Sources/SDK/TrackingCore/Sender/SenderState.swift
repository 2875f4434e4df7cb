internal import EventLog
internal import EventModel

/// Who sends, and whether they may: the identity, the session, the consent, and the calls that wait for the log.
///
/// | state | calls |
/// |---|---|
/// | opening | are held |
/// | releasing: the log is open, and held calls are performed | are held behind them |
/// | open | are in effect when they return |
///
/// Where nothing is stored before the answer, the log is not opened before it is needed: see ``UnopenedPerson``. Once it is
/// open, events that wait for an answer are in ``waiting``, and a person without an answer has no id.
///
/// A change returns its effects. They run once the lock of the state is released, because they call the app's code or
/// use a disk. Under the lock, only the log's methods without I/O and ``TrackingIDs/uuid()`` are called.
struct SenderState {
    enum Phase { case opening, releasing, open }

    /// The consequences of a change for the rest of the tracker, in order.
    enum Effect {
        /// The identity is to be stored.
        case identity(LogIdentity)
        /// A change of consent is to be stored; a caller may wait for that.
        case consent(NumberedConsentChange, stored: Awaited<Void>?)
        /// The device's id has changed; empty if there is none.
        case device(String)
        case report(TrackingDiagnostic)
        /// Held events are not sent.
        case dropHeld([HeldEvent], DropReason)
        /// Events that have waited for an answer are sent.
        case release([WaitingEvent])
        /// The log is to be opened.
        case open
        /// A call is to be stored for the next start.
        case storeCall(SenderCall, stored: Awaited<Void>?)
        /// The log can't be opened at the moment.
        case fail(Awaited<Void>, any Error)
    }

    /// How the state was configured; constant.
    struct Setup {
        let policy: ConsentPolicy
        let scope: ConsentScope
        /// The purposes of the plan; nil without one.
        let purposes: [Purpose]?
        /// Whether the identity is the log's, shared by all processes that use it. Otherwise the tracker's storage has it.
        var sharesIdentity: Bool
        let app: String?
        var ids: any TrackingIDs

        /// Whether events of a purpose are only counted while they wait for an answer.
        func isOnlyCounted(_ purpose: Purpose) -> Bool { policy.before == .nothing && purpose != .exempt }

        /// The policy for an anonymous person who turns out to be a user. With an answer for the device, only the erasure
        /// of the user needs to know the anonymous person.
        var linkPolicy: ConsentPolicy { scope == .person ? policy : .assumed }
    }

    let setup: Setup
    var phase = Phase.opening
    /// The error of the last attempt to read the storage or to open the log, unless it goes away when the device is
    /// unlocked.
    var failure: (any Error)?
    var held: HeldCalls
    /// Those who wait for the log.
    var waiters: [Awaited<Void>] = []
    var drops = OpeningDrops()

    var identity = LogIdentity(deviceID: "")
    var session = SessionRule()
    /// The context of the previous event, unless something has changed since.
    var envelopeContext: EnvelopeContext?
    /// The events that wait for an answer while the log is open.
    var waiting: WaitingEvents
    /// The users who have signed out while events of the time before their sign-in wait, by the device's id or token.
    var signedOut: [String: String] = [:]
    /// How many sessions had no id.
    var unnamedSessions: Int64 = 0
    /// What the storage has of a person without an id.
    var calls = StoredCalls()
    /// The person while the log is not opened; nil if it is, or the stored values are not known yet.
    var unopened: UnopenedPerson?
    /// Whether the log that was not opened before it was needed is being opened.
    var isOpening = false
    /// The changes of consent that the log has not stored yet.
    private(set) var unstored: [ConsentSubject: ConsentRecord] = [:]
    /// Whether the policy applies to the users of `Tracker.as(user:)`.
    private var hasUsers = false
    /// The purposes of the plan, and those of the events that were sent.
    private(set) var purposes: [Purpose]

    init(_ setup: Setup, held: HeldCalls) {
        self.setup = setup
        purposes = [.analytics]
        self.held = held
        waiting = WaitingEvents(maximumBytes: held.maximumBytes)
        for purpose in setup.purposes ?? [] where purpose != .exempt { _ = index(of: purpose) }
    }

    /// The index of a purpose, which is added if there is room.
    mutating func index(of purpose: Purpose) -> Int? {
        if let index = purposes.firstIndex(of: purpose) { return index }
        guard purposes.count < Purpose.maximumCount else { return nil }
        purposes.append(purpose)
        return purposes.count - 1
    }

    /// Holds a change until the log is open.
    mutating func hold(_ call: SenderCall) -> [Effect] {
        let former = unopened?.identity
        unopened?.perform(call)
        let kept = StoredCalls.stored(call, former: former?.userID)
        var effects = [Effect.dropHeld(held.hold(call), .optedOut)] + openIfNeeded()
        if unopened != nil, former?.isUnnamed == true, calls.add(kept) {
            effects.append(.storeCall(kept, stored: call.stored))
        } else if let failure, let stored = call.stored {
            effects.append(.fail(stored, failure))
        }
        return effects
    }

    // MARK: Changes, once the log is open

    /// Continues with an identity when the log is opened.
    ///
    /// - Parameter calls: Those of the person that must be known before anything is decided.
    mutating func start(
        _ identity: LogIdentity, session: SessionRule, log: any EventStore, after calls: [SenderCall] = []
    ) -> [Effect] {
        self.identity = identity
        self.session = session
        // Analytics is always considered.
        log.addPurposes(purposes.filter { $0 != .analytics })
        var effects = [Effect.device(identity.drawnDeviceID ?? "")] + applyPolicy(log)
        for call in calls { effects += change(call, log) }
        return effects + settle(log)
    }

    mutating func perform(_ call: SenderCall, log: any EventStore) -> [Effect] {
        guard setup.policy.storesNothingBefore else { return change(call, log) }
        var effects: [Effect] = []
        if case .answer(.granted, _, _, nil, _) = call { effects += draw(log) }
        return effects + change(call, log) + settle(log)
    }

    private mutating func change(_ call: SenderCall, _ log: any EventStore) -> [Effect] {
        switch call {
        case .reset: return reset(log)
        case .identify(nil):
            let report = Effect.report(.userRejected)
            return (identity.userID == nil ? [] : reset(log)) + [report]
        case .identify(let user?):
            guard user != identity.userID else { return [] }
            // Other processes, and the next one after a kill, see both changes or none.
            let isReset = identity.userID != nil
            var effects = isReset ? signOut(log) : []
            effects += note(.link(anonymous: identity.deviceID, user: user, setup.linkPolicy), log)
            identity.userID = user
            return effects + publish(log) + (isReset ? [.device(identity.drawnDeviceID ?? "")] : [])
        case .answer(let choice, var named, let time, let user, let stored):
            // A grant is for the purposes that the person can know.
            if choice == .granted { named = named ?? setup.purposes ?? Array(Set(purposes + log.purposes)) }
            let answer = ConsentAnswer(
                choice, for: named?.filter { $0 != .exempt }.sorted { $0.name < $1.name }, people: people(user),
                time: time,
                policy: setup.policy, app: setup.app)
            return note(.answer(answer), log, stored: stored)
        }
    }

    private mutating func reset(_ log: any EventStore) -> [Effect] {
        signOut(log) + publish(log) + [.device(identity.drawnDeviceID ?? "")]
    }

    private mutating func signOut(_ log: any EventStore) -> [Effect] {
        let made =
            setup.policy.storesNothingBefore ? LogIdentity.unnamed(identity.number + 1) : setup.ids.uuid()
        let change = ConsentChange.reset(
            former: identity.person, wasAnonymous: identity.userID == nil, anonymous: made,
            LogIdentity.isUnnamed(made) ? .assumed : setup.policy)
        var effects: [Effect] = []
        if setup.scope == .person {
            // An answer was required of this person, who can't give it any more: the waiting events are dropped.
            if identity.isUnnamed, identity.userID == nil {
                effects += note(.policy(setup.policy, person: identity.deviceID), log)
            }
            effects += note(change, log)
        }
        let device = identity.deviceID
        if waiting.contains(where: { $0.person == device }) { signedOut[device] = identity.userID }
        let ended = session.end().flatMap { LogIdentity.isUnnamed($0) ? nil : $0 }
        identity = LogIdentity(
            deviceID: made, endedSession: ended ?? identity.endedSession, number: identity.number)
        return effects
    }

    /// Forgets the session that a reset has ended, unless the newest event is one of it and not of these people.
    mutating func forgetEndedSession(of people: [String?], _ log: any EventStore) -> [Effect] {
        guard let ended = identity.endedSession else { return [] }
        if let newest = log.newest, newest.line(.sessionID) == ended, !people.contains(newest.line(.userID)) {
            return []
        }
        identity.endedSession = nil
        return publish(log)
    }

    /// Adopts the changes of other processes.
    mutating func refresh(_ log: any EventStore) -> [Effect] {
        guard setup.sharesIdentity, let shared = log.identity, shared.number > identity.number else { return [] }
        var effects: [Effect] = []
        if shared.deviceID != identity.deviceID {
            effects = follow(shared, log)
            effects.append(.device(shared.drawnDeviceID ?? ""))
        }
        identity = shared
        envelopeContext = nil
        effects += applyPolicy(log)
        // Another process stores nothing before the answer, and this one does.
        return setup.policy.storesNothingBefore ? effects : effects + draw(log)
    }

    mutating func publish(_ log: any EventStore) -> [Effect] {
        envelopeContext = nil
        if setup.sharesIdentity {
            // Only this process knows the user of a person without an id.
            let user = identity.userID
            if identity.isUnnamed { identity.userID = nil }
            identity = log.setIdentity(identity)
            identity.userID = user
        } else {
            identity.number += 1
        }
        return [.identity(identity)]
    }

    /// Stores the policy for the present person, unless there is no id yet: it is then stored with the id.
    private mutating func applyPolicy(_ log: any EventStore) -> [Effect] {
        people().filter { !LogIdentity.isUnnamed($0) }.flatMap { note(.policy(setup.policy, person: $0), log) }
    }

    /// A user, or the ids of the present person: in the log, this person's events have either.
    private func people(_ user: String? = nil) -> [String] {
        if setup.scope == .device { return [ConsentRule.everyone] }
        if let user { return [user] }
        return [identity.userID, identity.deviceID].compactMap(\.self)
    }

    // MARK: Consent

    mutating func note(
        _ change: ConsentChange, _ log: any EventStore, stored: Awaited<Void>? = nil
    ) -> [Effect] {
        let noted = log.noteConsent(change)
        guard !noted.isEmpty else { return [] }
        unstored.merge(noted.records) { ConsentRecord.newer($0, $1) ?? $1 }
        return [.consent(noted, stored: stored)]
    }

    /// The log has stored a change. A record that can't be looked up without I/O is kept.
    mutating func wasStored(_ noted: NumberedConsentChange, in log: any EventStore) {
        for (subject, record) in noted.records
        where unstored[subject] == record && log.consentRecord(of: subject)?.isReadable == true {
            unstored[subject] = nil
        }
    }

    /// Applies the policy to the users of `Tracker.as(user:)`, once.
    mutating func startUsers(_ log: any EventStore) -> [Effect] {
        guard !hasUsers else { return [] }
        hasUsers = true
        return setup.scope == .device ? [] : note(.policy(setup.policy, person: ConsentRule.others), log)
    }

    /// The rule for a purpose and a user; for the present person without one.
    func rule(_ log: any EventStore, _ purpose: Purpose, of user: String? = nil) -> ConsentRule {
        ConsentRule(of: user ?? identity.person, for: purpose, policy: setup.policy) { subject in
            ConsentRecord.newer(log.consentRecord(of: subject), unstored[subject])
        }
    }
}
