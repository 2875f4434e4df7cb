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
        /// The device's id has changed.
        case device(String)
        case report(TrackingDiagnostic)
        /// Held events are not sent, because their person has denied consent.
        case dropHeld([HeldEvent])
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
        let sharesIdentity: Bool
        let app: String?
        let ids: any TrackingIDs
    }

    let setup: Setup
    var phase = Phase.opening
    /// The error of the last attempt to read the storage or to open the log, unless it goes away when the device is
    /// unlocked.
    var failure: (any Error)?
    var held: HeldCalls
    /// Those who wait for the log.
    var waiting: [Awaited<Void>] = []
    var drops = OpeningDrops()

    var identity = LogIdentity(deviceID: "")
    var session = SessionRule()
    /// The context of the previous event, unless something has changed since.
    var envelopeContext: EnvelopeContext?
    /// The changes of consent that the log has not stored yet.
    private(set) var unstored: [ConsentSubject: ConsentRecord] = [:]
    /// The purposes of the plan, and those of the events that were sent.
    private(set) var purposes: [Purpose]

    init(_ setup: Setup, held: HeldCalls) {
        self.setup = setup
        purposes = [.analytics]
        self.held = held
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
        var effects = [Effect.dropHeld(held.hold(call))]
        if let failure, case .answer(_, _, _, let stored) = call { effects.append(.fail(stored, failure)) }
        return effects
    }

    // MARK: Changes, once the log is open

    /// Continues with an identity when the log is opened.
    mutating func start(_ identity: LogIdentity, session: SessionRule, log: any EventStore) -> [Effect] {
        self.identity = identity
        self.session = session
        // Analytics is always considered.
        log.addPurposes(purposes.filter { $0 != .analytics })
        return [.device(identity.deviceID)] + applyPolicy(log)
    }

    mutating func perform(_ call: SenderCall, log: any EventStore) -> [Effect] {
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
            let change = ConsentChange.link(anonymous: identity.deviceID, user: user, setup.policy)
            if setup.scope == .person { effects += note(change, log) }
            identity.userID = user
            return effects + publish(log) + (isReset ? [.device(identity.deviceID)] : [])
        case .answer(let choice, var named, let time, let stored):
            // A grant is for the purposes that the person can know.
            if choice == .granted { named = named ?? setup.purposes ?? Array(Set(purposes + log.purposes)) }
            let answer = ConsentAnswer(
                choice, for: named?.filter { $0 != .exempt }.sorted { $0.name < $1.name }, people: people, time: time,
                policy: setup.policy, app: setup.app)
            return note(.answer(answer), log, stored: stored)
        }
    }

    private mutating func reset(_ log: any EventStore) -> [Effect] {
        signOut(log) + publish(log) + [.device(identity.deviceID)]
    }

    private mutating func signOut(_ log: any EventStore) -> [Effect] {
        let made = setup.ids.uuid()
        let change = ConsentChange.reset(
            former: identity.person, wasAnonymous: identity.userID == nil, anonymous: made, setup.policy)
        let effects = setup.scope == .person ? note(change, log) : []
        identity = LogIdentity(
            deviceID: made, endedSession: session.end() ?? identity.endedSession, number: identity.number)
        return effects
    }

    /// Adopts the changes of other processes.
    mutating func refresh(_ log: any EventStore) -> [Effect] {
        guard setup.sharesIdentity, let shared = log.identity, shared.number > identity.number else { return [] }
        var effects: [Effect] = []
        if shared.deviceID != identity.deviceID {
            _ = session.end()
            effects = [.device(shared.deviceID)]
        }
        identity = shared
        envelopeContext = nil
        return effects + applyPolicy(log)
    }

    private mutating func publish(_ log: any EventStore) -> [Effect] {
        envelopeContext = nil
        if setup.sharesIdentity { identity = log.setIdentity(identity) } else { identity.number += 1 }
        return [.identity(identity)]
    }

    private mutating func applyPolicy(_ log: any EventStore) -> [Effect] {
        people.flatMap { note(.policy(setup.policy, person: $0), log) }
    }

    /// The ids of the present person: in the log, this person's events have either.
    private var people: [String] {
        if setup.scope == .device { return [ConsentRule.everyone] }
        return [identity.userID, identity.deviceID].compactMap(\.self)
    }

    // MARK: Consent

    private mutating func note(
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

    /// The rule for the present person and a purpose.
    func rule(_ log: any EventStore, _ purpose: Purpose) -> ConsentRule {
        ConsentRule(of: identity.person, for: purpose, policy: setup.policy) { subject in
            ConsentRecord.newer(log.consentRecord(of: subject), unstored[subject])
        }
    }
}
