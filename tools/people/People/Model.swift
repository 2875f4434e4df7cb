import EventLog
import EventModel

/// What the SDK's documentation promises about identity, consent, sessions and opening, as a pure model: no threads, no
/// files, no storage. Written from the table in `README.md`. A difference between it and the SDK is an error of one of them.
struct Model {
    /// An id in the lines: a user's, or the number of a device's.
    enum Name: Hashable {
        case user(String)
        case device(Int)
    }

    /// The consent of a person for a purpose.
    struct Terms {
        var answer: ConsentChoice?
        /// The order of the answer in the log.
        var answered = 0
        /// Whether a denial of the former person is valid until this one answers.
        var inheritsDenial = false
        var requiresAnswer = false
    }

    /// The person with an id.
    struct Person {
        /// By purpose, because each row of the table is valid for each purpose separately.
        private var terms: [Purpose: Terms] = [:]
        /// The user whom an anonymous person turned out to be.
        var user: Name?

        subscript(purpose: Purpose) -> Terms {
            get { terms[purpose] ?? Terms() }
            set { terms[purpose] = newValue }
        }
    }

    /// The purposes that people answer for.
    static let purposes: [Purpose] = [.analytics, "ads", "research"]

    struct Identity {
        var device: Int
        var user: String?
        var name: Name { user.map { .user($0) } ?? .device(device) }
        /// Both ids of the person.
        var names: [Name] { [name] + (user == nil ? [] : [.device(device)]) }
    }

    struct Event {
        enum State: Equatable {
            /// Held until the log is open; lost if the process ends before.
            case held
            /// In the log, not delivered.
            case queued
            case delivered
            case removed(DropReason)
            /// Dropped before it had a number.
            case dropped
        }

        /// The order of the calls of `send`.
        let token: Int
        let process: Int
        let purpose: Purpose
        let time: Int
        var seq: Int64?
        var name: Name?
        var session: Session?
        var state = State.held
        /// Whether the removal is certainly stored.
        var isSettled = false
        /// Whether the rules leave open if the event was removed: a kill came before the removal.
        var mayRemain = false
        /// Whether they leave open if it was delivered, too: the person agreed before the removal.
        var mayBeDelivered = false
        var isRemoved: Bool { if case .removed = state { true } else { false } }
    }

    struct Process {
        let policy: ConsentPolicy
        /// The purposes of the app's plan, which an agreement to all is for; nil without a plan.
        let plan: [Purpose]?
        var isOpen = false
        var known: Identity?
        var session: SessionState?
        var held: [Call] = []
        /// The number of the newest event when the process started.
        var newestAtStart: Int64
        /// Whether another process was alive at the start: its last events may not be visible in a file.
        var isSecond: Bool

        /// The purposes that an answer is for. A denial of all is for those that are added later, too.
        func purposes(of choice: ConsentChoice, _ named: [Purpose]?) -> [Purpose] {
            named ?? (choice == .denied ? Model.purposes : plan ?? [.analytics])
        }

        /// A denial drops the held events of its purposes that are certainly the same person's.
        mutating func hold(_ call: Call) {
            if case .answer(.denied, let named) = call.kind {
                let denied = purposes(of: .denied, named)
                for index in held.indices.reversed() {
                    switch held[index].kind {
                    case .send(let token, let purpose):
                        if denied.contains(purpose) { held[index].kind = .drop(token: token) }
                    case .drop, .answer: continue
                    case .identify, .reset:
                        held.append(call)
                        return
                    }
                }
            }
            held.append(call)
        }
    }

    /// A call of an app.
    struct Call {
        enum Kind {
            case send(token: Int, Purpose)
            /// An event that a held denial has dropped.
            case drop(token: Int)
            case identify(String)
            case reset
            /// nil for all purposes.
            case answer(ConsentChoice, for: [Purpose]?)
        }
        var kind: Kind
        let time: Int
        /// Whether the call changes identity or consent.
        var changesPerson: Bool {
            switch kind {
            case .send, .drop: false
            case .identify, .reset, .answer: true
            }
        }
    }

    let settings: Settings
    var people: [Name: Person] = [:]
    /// The answer and the policy of everyone, for the scope `device`.
    var everyone = Person()
    /// The identity of the log, or of each process's storage.
    var identities: [Int: Identity] = [:]
    var processes: [Process?]
    var events: [Event] = []
    var devices = 0
    var sessions = 0
    var answers = 0
    var seq: Int64 = 0
    var rejectedUsers = 0
    var time = 0

    init(_ settings: Settings) {
        self.settings = settings
        processes = Array(repeating: nil, count: settings.processes)
    }

    // MARK: Processes

    func identityKey(_ process: Int) -> Int { settings.sharesIdentity ? 0 : process }

    func identity(_ process: Int) -> Identity? { identities[identityKey(process)] }

    mutating func start(_ process: Int, _ policy: ConsentPolicy, plan: [Purpose]?) {
        processes[process] = Process(
            policy: policy, plan: plan, newestAtStart: seq,
            isSecond: settings.store == .sqlite && processes.contains { $0 != nil })
    }

    /// The log opens: the identity is known, and held calls are performed in their order.
    mutating func open(_ process: Int) {
        guard var opened = processes[process] else { return }
        let identity = identity(process) ?? newIdentity()
        identities[identityKey(process)] = identity
        opened.isOpen = true
        opened.known = identity
        opened.session = resumed(opened, identity)
        let held = opened.held
        opened.held = []
        processes[process] = opened
        tracks(identity, opened.policy)
        for call in held { perform(call, process) }
    }

    mutating func end(_ process: Int) { processes[process] = nil }

    // MARK: Calls

    /// Performs a call, or holds it until the log is open.
    mutating func call(_ kind: Call.Kind, _ process: Int) {
        let call = Call(kind: kind, time: time)
        guard processes[process]?.isOpen == true else {
            processes[process]?.hold(call)
            return
        }
        perform(call, process)
    }

    mutating func newEvent(_ process: Int, for purpose: Purpose) -> Int {
        events.append(Event(token: events.count, process: process, purpose: purpose, time: time))
        return events.count - 1
    }

    private mutating func perform(_ call: Call, _ process: Int) {
        catchUp(process)
        switch call.kind {
        case .send(let token, _): send(token, at: call.time, process)
        case .drop(let token): events[token].state = .dropped
        case .identify(let user): identify(user, process)
        case .reset: reset(process)
        case .answer(let choice, let named): answer(choice, for: named, process)
        }
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
    private mutating func catchUp(_ process: Int) {
        guard let identity = identity(process), var present = processes[process] else { return }
        if present.known?.device != identity.device { present.session = present.session?.ended }
        present.known = identity
        processes[process] = present
        tracks(identity, present.policy)
    }

    private mutating func send(_ token: Int, at time: Int, _ process: Int) {
        guard let identity = identity(process), let policy = processes[process]?.policy else { return }
        guard status(identity.name, policy, events[token].purpose).value != .denied else {
            events[token].state = .dropped
            return
        }
        seq += 1
        events[token].seq = seq
        events[token].name = identity.name
        events[token].state = .queued
        events[token].session = session(at: time, process, identity)
    }

    private mutating func identify(_ user: String, _ process: Int) {
        guard (1...128).contains(user.count) else {
            rejectedUsers += 1
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

    private mutating func reset(_ process: Int) {
        guard let former = identity(process), let policy = processes[process]?.policy else { return }
        let present = Dictionary(
            uniqueKeysWithValues: Self.purposes.map { ($0, status(former.name, policy, $0)) })
        let identity = newIdentity()
        identities[identityKey(process)] = identity
        processes[process]?.known = identity
        let session = processes[process]?.session?.ended
        processes[process]?.session = session
        guard settings.scope == .person else { return }
        for (purpose, status) in present {
            if former.user == nil, status.value == .unknown {
                for index in events.indices
                where events[index].name == former.name && events[index].purpose == purpose
                    && events[index].state == .queued
                {
                    events[index].state = .removed(.unanswered)
                }
            }
            people[identity.name, default: Person()][purpose].inheritsDenial = status.value == .denied
        }
        tracks(identity, policy)
    }

    private mutating func answer(_ choice: ConsentChoice, for named: [Purpose]?, _ process: Int) {
        guard let names = identity(process)?.names, let present = processes[process] else { return }
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
    private func people(of names: [Name]) -> [Name] {
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

    // MARK: Consent

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
        let isRequired = terms.requiresAnswer || policy.isRequired(for: purpose)
        return ConsentStatus(isRequired ? .unknown : .granted, isAnswered: false)
    }

    /// The consent that a tracker states; nil where it is not defined: between another process's change of the identity and
    /// the next event, and for held calls that only the identity can decide.
    func consent(_ process: Int, for purpose: Purpose) -> ConsentStatus? {
        guard let present = processes[process], purpose != .exempt else { return nil }
        guard present.isOpen else {
            // Answers for this purpose, and changes of the identity.
            let changes = present.held.filter(\.changesPerson).filter { call in
                guard case .answer(let choice, let named) = call.kind else { return true }
                return present.purposes(of: choice, named).contains(purpose)
            }
            let isAnswered = changes.contains { if case .answer = $0.kind { true } else { false } }
            guard let last = changes.last, isAnswered else { return ConsentStatus(.unknown, isAnswered: false) }
            guard case .answer(let choice, _) = last.kind else { return nil }
            return ConsentStatus(choice == .granted ? .granted : .denied, isAnswered: true)
        }
        guard let identity = identity(process), present.known?.name == identity.name else { return nil }
        return status(identity.name, present.policy, purpose)
    }

    /// The policy `required` is stored for a person once a process with it tracks the person.
    private mutating func tracks(_ identity: Identity, _ policy: ConsentPolicy) {
        for purpose in Self.purposes where policy.isRequired(for: purpose) {
            if settings.scope == .device { everyone[purpose].requiresAnswer = true }
            for name in people(of: identity.names) {
                people[name, default: Person()][purpose].requiresAnswer = true
            }
        }
    }

    private mutating func removeIfDenied(_ names: [Name]) {
        guard let first = names.first else { return }
        for index in events.indices where events[index].state == .queued {
            guard status(first, .assumed, events[index].purpose).value == .denied else { continue }
            guard let name = events[index].name, settings.scope == .device || names.contains(name) else { continue }
            events[index].state = .removed(.optedOut)
        }
    }

    private mutating func newIdentity() -> Identity {
        devices += 1
        return Identity(device: devices)
    }
}
