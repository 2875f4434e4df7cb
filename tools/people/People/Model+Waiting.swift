import EventLog
import EventModel

// Nothing is stored before the answer.
extension Model {
    /// A denial of a person without an id, or the sign-out after it.
    enum Denial {
        /// nil for all purposes.
        case denied([Purpose]?)
        case reset
    }

    /// What a process that never opens the log leaves unchanged.
    struct Stored {
        let people: [Name: Person]
        let everyone: Person
        let others: Person
        let identities: [Int: Identity]
        let events: [Event]
    }

    // MARK: Before the log is opened

    /// A process starts that opens the log only if it is needed.
    mutating func look(_ process: Int) {
        stored = Stored(
            people: people, everyone: everyone, others: others, identities: identities, events: events)
        processes[process]?.isUnopened = true
        begin(process)
    }

    /// An agreement needs the log, and so does a denial of a person whose events the log may have.
    mutating func openAfterAnswer(_ choice: ConsentChoice, of user: String?, wasNamed: Bool, _ process: Int) {
        guard processes[process]?.isUnopened == true, choice == .granted || user != nil || wasNamed else { return }
        openNow(process)
    }

    /// Opens the log although the present person has not agreed.
    mutating func openNow(_ process: Int) {
        openUnopened(process)
        settleWaiting(process)
    }

    private mutating func openUnopened(_ process: Int) {
        processes[process]?.isUnopened = false
        processes[process]?.isOpen = true
        stored = nil
        hasLog = true
        rejectedUsers += processes[process]?.unreported ?? 0
        denials = []
    }

    /// Whether the present person allows to store anything.
    private func needsLog(_ process: Int) -> Bool {
        guard let present = processes[process], let name = identity(process)?.name else { return false }
        let agrees = present.purposes.contains { status(name, present.policy, $0).value == .granted }
        let answers = Self.purposes.map { status(name, present.policy, $0) }.filter(\.isAnswered)
        let names = identity(process).map { people(of: $0.names) } ?? []
        let isExemptHeld = events.contains { event in
            event.process == process && event.state == .waiting && event.purpose == .exempt && event.user == nil
                && event.name.map(names.contains) == true
        }
        return agrees || answers.contains { isExemptHeld || $0.value == .granted }
    }

    /// A process ends.
    ///
    /// - Parameter closes: Whether the log is closed, so that the events that wait are counted as dropped.
    mutating func end(_ process: Int, closes: Bool) {
        guard let present = processes[process] else { return }
        for index in events.indices.dropFirst(present.firstEvent) where events[index].process == process {
            switch events[index].state {
            case .waiting: events[index].state = closes && present.isOpen ? .dropped(.unanswered) : .held
            // Counted only in the log.
            case .dropped where present.isUnopened: events[index].state = .held
            default: break
            }
        }
        processes[process] = nil
        if let stored {
            people = stored.people
            everyone = stored.everyone
            others = stored.others
            identities = stored.identities
            events.replaceSubrange(..<stored.events.count, with: stored.events)
        }
        stored = nil
        // Only the process knows the user of a person without an id.
        if let identity = identity(process), identity.isUnnamed {
            identities[identityKey(process)]?.user = nil
            people[.device(identity.device)]?.user = nil
        }
    }

    // MARK: Waiting events

    /// Whether an event waits in memory.
    func waits(_ token: Int, _ process: Int) -> Bool {
        guard let present = processes[process], let name = events[token].name else { return false }
        let purpose = events[token].purpose
        if present.isUnopened { return true }
        return purpose == .exempt
            ? exemptWaits(name, present) : status(name, present.policy, purpose).value == .unknown
    }

    private func exemptWaits(_ name: Name, _ process: Process) -> Bool {
        !process.purposes.contains { status(name, process.policy, $0).value == .granted }
            && !Self.purposes.contains { status(name, process.policy, $0).isAnswered }
    }

    /// Opens the log if it is needed, makes the id of a person who has agreed, stores the events that may be stored, and drops
    /// those that may not.
    mutating func settleWaiting(_ process: Int) {
        guard let present = processes[process] else { return }
        guard present.policy.storesNothingBefore else { return name(process) }
        if present.isUnopened {
            let flows = events.contains { event in
                guard event.process == process, event.state == .waiting, let name = event.name else { return false }
                return event.purpose != .exempt && status(name, present.policy, event.purpose).value == .granted
            }
            guard flows || needsLog(process) else { return drop(process) }
            openUnopened(process)
        }
        drop(process)
        guard let identity = identity(process) else { return }
        let agrees = present.purposes.contains { status(identity.name, present.policy, $0).value == .granted }
        if agrees { name(process) }
        for index in events.indices where events[index].process == process && events[index].state == .waiting {
            guard !waits(index, process) else { continue }
            let isPresent = events[index].user == nil && events[index].name.map(identity.names.contains) == true
            if isPresent { name(process) }
            append(index, process)
        }
    }

    private mutating func drop(_ process: Int) {
        guard let policy = processes[process]?.policy else { return }
        for index in events.indices where events[index].process == process && events[index].state == .waiting {
            guard let name = events[index].name else { continue }
            guard status(name, policy, events[index].purpose).value == .denied else { continue }
            events[index].state = .dropped(.optedOut)
        }
    }

    /// Makes the id of the present person.
    mutating func name(_ process: Int) {
        guard let identity = identity(process), identity.isUnnamed else { return }
        identities[identityKey(process)]?.isUnnamed = false
        processes[process]?.known?.isUnnamed = false
        if let named = self.identity(process), let policy = processes[process]?.policy { tracks(named, policy) }
    }

    // MARK: Denials without an id

    /// Keeps a denial of a person without an id for the next start.
    ///
    /// - Parameter former: The user before the call.
    mutating func note(_ call: Call.Kind, former: String?, _ process: Int) {
        guard processes[process]?.isUnopened == true, identity(process)?.isUnnamed == true else { return }
        var call = call
        if case .identify(let user) = call, former != nil, user != former { call = .reset }
        switch call {
        case .answer(.denied, let purposes, nil):
            if purposes == nil { denials = [] }
            denials.append(.denied(purposes))
        case .reset: if case .denied? = denials.last { denials.append(.reset) }
        default: break
        }
    }

    /// Performs what a former process has stored of the person.
    ///
    /// - Parameter isNew: Whether the person has no stored identity.
    mutating func performDenials(_ process: Int, isNew: Bool) {
        guard isNew || identity(process)?.isUnnamed == true else { return }
        for denial in denials {
            switch denial {
            case .denied(let purposes): answer(.denied, for: purposes, of: nil, process)
            case .reset: reset(process)
            }
        }
    }
}
