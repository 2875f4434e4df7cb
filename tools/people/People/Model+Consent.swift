import EventLog
import EventModel

// The consent in effect.
extension Model {
    /// The consent of a person for a purpose, in a process with this policy.
    func status(_ name: Name, _ policy: ConsentPolicy, _ purpose: Purpose) -> ConsentStatus {
        // Strictly necessary events need no consent.
        if purpose == .exempt { return ConsentStatus(.granted, isAnswered: false) }
        let terms = (settings.scope == .device ? everyone : people[name] ?? Person())[purpose]
        switch terms.answer {
        case .granted: return ConsentStatus(.granted, isAnswered: true)
        case .denied: return ConsentStatus(.denied, isAnswered: true)
        case nil: break
        }
        if terms.inheritsDenial { return ConsentStatus(.denied, isAnswered: false) }
        let isRequired = terms.requiresAnswer || others[purpose].requiresAnswer || policy.isRequired(for: purpose)
        return ConsentStatus(isRequired ? .unknown : .granted, isAnswered: false)
    }

    /// The consent that a tracker states; nil where it is not defined: between another process's change of the identity and
    /// the next event, and for held calls that only the identity can decide.
    ///
    /// - Parameter user: A user of `Tracker.as(user:)`; nil for the present person.
    func consent(_ process: Int, for purpose: Purpose, of user: String? = nil) -> ConsentStatus? {
        guard let present = processes[process], purpose != .exempt else { return nil }
        guard present.isOpen || present.isUnopened else {
            // Answers for this purpose, and changes of the identity.
            let isShared = settings.scope == .device
            let changes = present.held.filter { call in
                switch call.kind {
                case .send, .drop: return false
                case .identify, .reset: return isShared || user == nil
                case .answer(let choice, let named, let other):
                    return (isShared || other == user) && present.purposes(of: choice, named).contains(purpose)
                }
            }
            let isAnswered = changes.contains { if case .answer = $0.kind { true } else { false } }
            guard let last = changes.last, isAnswered else { return ConsentStatus(.unknown, isAnswered: false) }
            guard case .answer(let choice, _, _) = last.kind else { return nil }
            return ConsentStatus(choice == .granted ? .granted : .denied, isAnswered: true)
        }
        guard let identity = identity(process), present.known?.name == identity.name else { return nil }
        return status(user.map { .user($0) } ?? identity.name, present.policy, purpose)
    }

    mutating func tracksOthers(_ policy: ConsentPolicy) {
        guard settings.scope == .person else { return }
        for purpose in Self.purposes where policy.isRequired(for: purpose) { others[purpose].requiresAnswer = true }
    }

    /// The policy `required` is stored for a person with an id once a process with it tracks the person.
    mutating func tracks(_ identity: Identity, _ policy: ConsentPolicy) {
        for purpose in Self.purposes where policy.isRequired(for: purpose) {
            if settings.scope == .device { everyone[purpose].requiresAnswer = true }
            for name in people(of: identity.names) where !identity.isUnnamed || name != .device(identity.device) {
                people[name, default: Person()][purpose].requiresAnswer = true
            }
        }
    }

    mutating func removeIfDenied(_ names: [Name]) {
        guard let first = names.first else { return }
        for index in events.indices where events[index].state == .queued {
            guard status(first, .assumed, events[index].purpose).value == .denied else { continue }
            guard let name = events[index].name, settings.scope == .device || names.contains(name) else { continue }
            events[index].state = .removed(.optedOut)
        }
    }
}
