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
        /// Whether the device has no id yet, because nothing is stored before the answer.
        var isUnnamed = false
        var name: Name { user.map { .user($0) } ?? .device(device) }
        /// Both ids of the person.
        var names: [Name] { [name] + (user == nil ? [] : [.device(device)]) }
    }

    struct Event {
        enum State: Equatable {
            /// Held until the log is open; lost if the process ends before.
            case held
            /// In memory until its person answers; lost if the process ends before.
            case waiting
            /// In the log, not delivered.
            case queued
            case delivered
            case removed(DropReason)
            /// Dropped before it had a number.
            case dropped(DropReason)
        }

        /// The order of the calls of `send`.
        let token: Int
        let process: Int
        let purpose: Purpose
        /// The user of `Tracker.as(user:)`; nil for the present person.
        let user: String?
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
        /// Whether it was erased after its delivery.
        var isErased = false
        /// Whether an erasure came before a removal that may not be stored: either may have removed it.
        var mayBeErased = false
        var isRemoved: Bool { if case .removed = state { true } else { isErased } }
    }

    struct Process {
        let policy: ConsentPolicy
        /// The purposes of the app's plan, which an agreement to all is for; nil without a plan.
        let plan: [Purpose]?
        var isOpen = false
        /// Whether the log is not opened before it is needed.
        var isUnopened = false
        /// The purposes of the events so far.
        var sent: Set<Purpose> = []
        var known: Identity?
        var session: SessionState?
        /// The sessions of the users of `Tracker.as(user:)`.
        var userSessions: [String: SessionState] = [:]
        /// How many invalid users are not reported yet.
        var unreported = 0
        /// How many events there were when the process started.
        let firstEvent: Int
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
        mutating func hold(_ call: Call, _ scope: ConsentScope) {
            defer { held.append(call) }
            guard case .answer(.denied, let named, let user) = call.kind else { return }
            let denied = purposes(of: .denied, named)
            for index in held.indices.reversed() {
                switch held[index].kind {
                case .send(let token, let purpose, let sender):
                    guard denied.contains(purpose), scope == .device || sender == user else { continue }
                    held[index].kind = .drop(token: token)
                case .drop, .answer: continue
                case .identify, .reset: if scope == .device || user == nil { return }
                }
            }
        }

        /// The purposes whose consent the process considers.
        var purposes: Set<Purpose> { sent.union((plan ?? []) + [.analytics]).subtracting([.exempt]) }
    }

    /// A call of an app.
    struct Call {
        enum Kind {
            /// Of a user of `Tracker.as(user:)`, or of the present person.
            case send(token: Int, Purpose, by: String?)
            /// An event that a held denial has dropped.
            case drop(token: Int)
            case identify(String)
            case reset
            /// nil for all purposes, and for the present person.
            case answer(ConsentChoice, for: [Purpose]?, of: String?)
        }
        var kind: Kind
        let time: Int
    }

    let settings: Settings
    var people: [Name: Person] = [:]
    /// The answer and the policy of everyone, for the scope `device`.
    var everyone = Person()
    /// The policy for the users of `Tracker.as(user:)`, which is stored once a process with it sends their events.
    var others = Person()
    /// What the storage has of a person without an id.
    var denials: [Denial] = []
    /// Whether a log was opened.
    var hasLog = false
    /// The stored values, while a process has not opened the log.
    var stored: Stored?
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
            policy: policy, plan: plan, firstEvent: events.count, newestAtStart: seq,
            isSecond: settings.store == .sqlite && processes.contains { $0 != nil })
    }

    /// The log opens: the identity is known, and held calls are performed in their order.
    mutating func open(_ process: Int) {
        guard processes[process] != nil else { return }
        processes[process]?.isOpen = true
        hasLog = true
        begin(process)
        guard let held = processes[process]?.held else { return }
        processes[process]?.held = []
        for call in held { perform(call, process) }
    }

    /// Continues with the stored identity, or with a new one.
    mutating func begin(_ process: Int) {
        guard let policy = processes[process]?.policy else { return }
        let isNew = identity(process) == nil
        let identity = identity(process) ?? newIdentity(policy)
        identities[identityKey(process)] = identity
        processes[process]?.known = identity
        let session = processes[process].map { resumed($0, identity) }
        processes[process]?.session = session
        tracks(identity, policy)
        performDenials(process, isNew: isNew)
        settleWaiting(process)
    }

    // MARK: Calls

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

    private mutating func perform(_ call: Call, _ process: Int) {
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
        processes[process]?.sent.insert(purpose)
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

    private mutating func newIdentity(_ policy: ConsentPolicy) -> Identity {
        devices += 1
        return Identity(device: devices, isUnnamed: policy.storesNothingBefore)
    }
}
