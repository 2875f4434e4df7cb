import EventLog
import EventModel

// The calls of an app.
extension Model {
    /// Performs a call, or holds it until the log is open.
    mutating func call(_ kind: Call.Kind, _ process: Int) {
        var kind = kind
        // The answer is everyone's.
        if settings.scope == .device, case .answer(let choice, let named, _) = kind {
            kind = .answer(choice, for: named, of: nil)
        }
        let call = Call(kind: kind, time: time)
        guard let present = processes[process] else { return }
        guard present.isOpen || present.isUnopened else {
            let scope = settings.scope
            processes[process]?.hold(call, scope)
            return
        }
        perform(call, process)
        if case .answer(let choice, _, let user) = kind {
            openAfterAnswer(choice, of: user, wasNamed: present.known?.isUnnamed == false, process)
        }
    }

    mutating func newEvent(_ process: Int, for purpose: Purpose, by user: String?) -> Int {
        events.append(Event(token: events.count, process: process, purpose: purpose, user: user, time: time))
        return events.count - 1
    }

    mutating func perform(_ call: Call, _ process: Int) {
        // An event of another user concerns the present person only at the next call.
        if case .send(_, _, .some) = call.kind {} else { catchUp(process) }
        let former = identity(process)?.user
        switch call.kind {
        case .send(let token, _, _): send(token, process)
        case .drop(let token): events[token].state = .dropped(.optedOut)
        case .identify(let user): identify(user, process)
        case .reset: reset(process)
        case .answer(let choice, let named, let user): answer(choice, for: named, of: user, process)
        }
        note(call.kind, former: former, process)
        // A dropped event opens no log.
        if case .send(let token, _, _) = call.kind, case .dropped = events[token].state { return }
        settleWaiting(process)
        if settings.processes > 1 { leaveDeliveriesOpen() }
    }

    /// The person agreed before the removal was stored: another process, or the next one, may deliver in between.
    private mutating func leaveDeliveriesOpen() {
        for index in events.indices where events[index].isRemoved && !events[index].isSettled {
            guard mayDeliver(events[index]) else { continue }
            events[index].mayRemain = true
            events[index].mayBeDelivered = true
        }
    }

    /// All removals so far are stored.
    mutating func settle() {
        for index in events.indices where events[index].isRemoved { events[index].isSettled = true }
    }

    /// All processes end before they store anything.
    mutating func interrupt() {
        for index in events.indices where events[index].isRemoved && !events[index].isSettled {
            events[index].mayRemain = true
        }
        leaveDeliveriesOpen()
    }

    /// What another process changed is valid for this one from its next call on.
    mutating func catchUp(_ process: Int) {
        guard let identity = identity(process), var present = processes[process] else { return }
        if present.known?.device != identity.device { present.session = present.session?.ended }
        present.known = identity
        processes[process] = present
        tracks(identity, present.policy)
    }

    private mutating func send(_ token: Int, _ process: Int) {
        guard let identity = identity(process), let policy = processes[process]?.policy else { return }
        let (purpose, user) = (events[token].purpose, events[token].user)
        let name = user.map { Name.user($0) } ?? identity.name
        // Consent to this purpose may be assumed: earlier events no longer wait then.
        if processes[process]?.sent.insert(purpose).inserted == true, processes[process]?.isOpen == true {
            settleWaiting(process)
        }
        if user != nil { tracksOthers(policy) }
        events[token].name = name
        let consent = status(name, policy, purpose).value
        if consent == .denied {
            events[token].state = .dropped(.optedOut)
        } else if policy.storesNothingBefore, waits(token, process) {
            let isCounted = policy.before == .nothing && consent == .unknown
            events[token].state = isCounted ? .dropped(.unanswered) : .waiting
            if !isCounted, user == nil { events[token].session = session(at: events[token].time, process, identity) }
        } else {
            if user == nil {
                self.name(process)
                events[token].session = session(at: events[token].time, process, identity)
            }
            append(token, process)
        }
    }

    /// The event is in the log.
    mutating func append(_ token: Int, _ process: Int) {
        seq += 1
        events[token].seq = seq
        events[token].state = .queued
        if let user = events[token].user { events[token].session = session(at: events[token].time, process, of: user) }
    }

    private mutating func identify(_ user: String, _ process: Int) {
        guard (1...128).contains(user.count) else {
            // Where nothing is stored before the answer, it is reported once the log is open.
            if processes[process]?.isUnopened == true {
                processes[process]?.unreported += 1
            } else {
                rejectedUsers += 1
            }
            if identity(process)?.user != nil { reset(process) }
            return
        }
        guard identity(process)?.user != user else { return }
        if identity(process)?.user != nil { reset(process) }
        guard var identity = identity(process), let policy = processes[process]?.policy else { return }
        link(identity.name, .user(user), policy)
        identity.user = user
        identities[identityKey(process)] = identity
        processes[process]?.known = identity
    }

    /// An anonymous person has turned out to be a user.
    private mutating func link(_ anonymous: Name, _ user: Name, _ policy: ConsentPolicy) {
        let both = [people[anonymous] ?? Person(), people[user] ?? Person()]
        var linked = Person()
        for purpose in Self.purposes {
            let both = both.map { $0[purpose] }
            linked[purpose].requiresAnswer =
                policy.isRequired(for: purpose) || both.contains(where: \.requiresAnswer)
            if let later = both.filter({ $0.answer != nil }).max(by: { $0.answered < $1.answered }) {
                linked[purpose].answer = later.answer
                linked[purpose].answered = later.answered
            } else {
                linked[purpose].inheritsDenial = both[0].inheritsDenial
            }
        }
        people[anonymous, default: Person()].user = user
        for name in people(of: [user]) {
            linked.user = people[name]?.user
            people[name] = linked
        }
        removeIfDenied(people(of: [anonymous, user]))
    }

    mutating func reset(_ process: Int) {
        guard let former = identity(process), let policy = processes[process]?.policy else { return }
        let present = Dictionary(
            uniqueKeysWithValues: Self.purposes.map { ($0, status(former.name, policy, $0)) })
        let identity = newIdentity(policy)
        identities[identityKey(process)] = identity
        processes[process]?.known = identity
        let session = processes[process]?.session?.ended
        processes[process]?.session = session
        guard settings.scope == .person else { return }
        for (purpose, status) in present {
            if former.user == nil, status.value == .unknown {
                for index in events.indices where events[index].name == former.name {
                    let isExempt = events[index].purpose == .exempt && purpose == .analytics
                    if events[index].state == .waiting, isExempt || events[index].purpose == purpose {
                        events[index].state = .dropped(.unanswered)
                    } else if events[index].state == .queued, events[index].purpose == purpose {
                        events[index].state = .removed(.unanswered)
                    }
                }
            }
            people[identity.name, default: Person()][purpose].inheritsDenial = status.value == .denied
        }
        tracks(identity, policy)
    }

    mutating func answer(_ choice: ConsentChoice, for named: [Purpose]?, of user: String?, _ process: Int) {
        guard let identity = identity(process), let present = processes[process] else { return }
        let names = user.map { [Name.user($0)] } ?? identity.names
        if user == nil, choice == .granted, identity.isUnnamed { name(process) }
        answers += 1
        for purpose in present.purposes(of: choice, named) {
            if settings.scope == .device {
                everyone[purpose].answer = choice
                everyone[purpose].answered = answers
            }
            for name in settings.scope == .device ? [] : people(of: names) {
                people[name, default: Person()][purpose].answer = choice
                people[name]?[purpose].answered = answers
            }
        }
        removeIfDenied(people(of: names))
    }

    /// The names, and the anonymous people who turned out to be one of them.
    func people(of names: [Name]) -> [Name] {
        names + people.filter { $0.value.user.map(names.contains) == true && !names.contains($0.key) }.map(\.key)
    }

    /// Delivers what may be delivered.
    mutating func flush() {
        for index in events.indices where events[index].state == .queued {
            if mayDeliver(events[index]) { events[index].state = .delivered }
        }
    }

    private func mayDeliver(_ event: Event) -> Bool {
        event.name.map { status($0, .assumed, event.purpose).value == .granted } ?? false
    }
}
