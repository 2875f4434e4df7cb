import EventLog
import EventModel
import Primitives

/// A random history; equal seeds give equal histories.
struct History {
    let settings: Settings
    var steps: [Step]

    static let users = ["ada", "ben", "cleo"]
    static let policies: [ConsentPolicy] = [
        .assumed, .required, .required(for: ["ads"]), .required(for: ["ads", "research"]), .required(for: [.analytics]),
    ]
    static let policiesBefore: [ConsentPolicy] = [
        .required(before: .memory), .required(before: .memory), .required(before: .nothing),
        .required(for: ["ads"], before: .memory), .required(for: [.analytics], before: .memory),
        .required(for: ["ads", "research"], before: .nothing),
    ]
    static let serverUsers = ["dora", "emil"]
    static let invalidUsers = ["", String(repeating: "x", count: 129)]

    /// - Parameter stores: The kinds of logs to choose from; repeated kinds are more likely.
    init(seed: UInt64, stores: [Settings.Store]) {
        var random = SplitMix64(seed: SplitMix64.mixed(seed))
        let storesNothing = random.happens(25)
        let isLive = !storesNothing && random.happens(30)
        let shares = !isLive && random.happens(65)
        var storages: [Settings.Storage] = shares ? Settings.Storage.allCases : [.immediate]
        if storesNothing { storages.removeAll { $0 == .slow } }
        let stores = storesNothing && random.happens(50) ? stores.filter { $0 == .sqlite } : stores
        settings = Settings(
            store: random.one(of: stores) ?? .memory, storage: random.one(of: storages) ?? .immediate,
            scope: !isLive && random.happens(15) ? .device : .person, sharesIdentity: shares, isLive: isLive,
            processes: storesNothing ? 1 : 1 + random.falling(to: 2, percent: 35), hasPurposes: random.happens(60),
            hasUsers: random.happens(40), storesNothingBefore: storesNothing)
        steps = []
        var drawing = Drawing(random, settings)
        steps = drawing.steps()
    }

    init(_ settings: Settings, _ steps: [Step]) {
        self.settings = settings
        self.steps = steps
    }
}

/// Draws steps that make sense: it knows which processes live and which of them have an open log.
private struct Drawing {
    private enum State { case stopped, opening, open }

    private var random: SplitMix64
    private let settings: Settings
    private var states: [State]
    private var policy: ConsentPolicy

    init(_ random: SplitMix64, _ settings: Settings) {
        self.random = random
        self.settings = settings
        states = Array(repeating: .stopped, count: settings.processes)
        policy = .required
        policy = drawnPolicy()
    }

    private mutating func drawnPolicy() -> ConsentPolicy {
        var policies = settings.hasPurposes ? History.policies : [.required, .required, .assumed]
        if settings.storesNothingBefore, random.happens(85) {
            policies = settings.hasPurposes ? History.policiesBefore : Array(History.policiesBefore[..<3])
        }
        return random.one(of: policies) ?? .required
    }

    mutating func steps() -> [Step] {
        var steps: [Step] = []
        let count = 4 + random.below(24)
        while steps.count < count {
            let process = random.below(states.count)
            switch states[process] {
            case .stopped: steps.append(started(process))
            case .opening where random.happens(15):
                states[process] = .open
                steps.append(.open(process))
            case .opening, .open: steps.append(call(process))
            }
        }
        // Each history ends with a start, so that every tracker's identity is compared after it.
        steps.append(.kill)
        for process in states.indices {
            steps += [.start(process, .prompt, policy, plan())]
            steps += (settings.hasPurposes ? Model.purposes : [.analytics]).map { .send(process, $0, as: nil) }
            steps += [.flush(process), .flushToDisk(process)]
        }
        return steps
    }

    private mutating func started(_ process: Int) -> Step {
        // The users of a server have no stored policy: what a stricter one would change is not defined.
        if !settings.hasUsers, random.happens(settings.hasPurposes ? 20 : 8) {
            policy = drawnPolicy()
        }
        var opening = Opening.prompt
        if !settings.isLive, !settings.storesNothingBefore, random.happens(45) {
            opening = random.one(of: Opening.allCases) ?? .prompt
        }
        if settings.isLive, random.happens(5) { opening = .failingStorage }
        states[process] = opening == .prompt || settings.isLive ? .open : .opening
        return .start(process, opening, policy, plan())
    }

    /// The purposes of an app's plan; nil without one. Versions of the app may have different plans.
    private mutating func plan() -> [Purpose]? {
        if settings.isLive || !settings.hasPurposes { return nil }
        return random.happens(50) ? Model.purposes : [.analytics, "ads"]
    }

    private mutating func sent(_ process: Int) -> Step { .send(process, purpose(), as: serverUser(of: process)) }

    private mutating func purpose() -> Purpose {
        guard settings.hasPurposes else {
            return settings.storesNothingBefore && random.happens(15) ? .exempt : .analytics
        }
        switch random.below(100) {
        case ..<40: return .analytics
        case ..<70: return "ads"
        case ..<90: return "research"
        default: return .exempt
        }
    }

    private mutating func answer(_ process: Int) -> Step {
        let user = serverUser(of: process)
        let choice = random.happens(50) ? ConsentChoice.granted : .denied
        guard settings.hasPurposes else { return .answer(process, choice, nil, as: user) }
        // Without a plan, an agreement to all is for the purposes that the log knows at that moment.
        let isForAll = random.happens(35) && (choice == .denied || !settings.isLive)
        guard !isForAll else { return .answer(process, choice, nil, as: user) }
        let some = Model.purposes.filter { _ in random.happens(45) }
        return .answer(process, choice, some.isEmpty ? ["ads"] : some, as: user)
    }

    private mutating func call(_ process: Int) -> Step {
        switch random.below(100) {
        case ..<34: return sent(process)
        case ..<48: return .identify(process, user(of: process))
        case ..<55: return .reset(process)
        case ..<58:
            guard states[process] == .open else { return sent(process) }
            return .erase(process, serverUser(of: process) ?? user(of: process))
        case ..<71: return answer(process)
        case ..<79: return states[process] == .open ? .flush(process) : sent(process)
        case ..<83: return states[process] == .open ? .flushToDisk(process) : sent(process)
        case ..<88 where states[process] == .open:
            states[process] = .stopped
            return .stop(process)
        case ..<92:
            states = states.map { _ in .stopped }
            return .kill
        default: return .clock(random.one(of: [1, 60, 29 * 60, 31 * 60, 25 * 3600, 9 * 3600, -600, -7200]) ?? 1)
        }
    }

    /// A user of `Tracker.as(user:)`, who may also be one who signs in; nil for the present person.
    private mutating func serverUser(of process: Int) -> String? {
        guard settings.hasUsers, random.happens(50) else { return nil }
        var users = History.serverUsers
        if !settings.storesNothingBefore {
            users.append(settings.sharesIdentity ? History.users[0] : History.users[0] + "1")
        }
        return random.one(of: users)
    }

    /// Trackers with their own identities have their own users.
    private mutating func user(of process: Int) -> String {
        if random.happens(8) { return random.one(of: History.invalidUsers) ?? "" }
        let user = random.one(of: History.users) ?? ""
        return settings.sharesIdentity ? user : "\(user)\(process + 1)"
    }
}
