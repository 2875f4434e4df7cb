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

    mutating func newIdentity(_ policy: ConsentPolicy) -> Identity {
        devices += 1
        return Identity(device: devices, isUnnamed: policy.storesNothingBefore)
    }
}
