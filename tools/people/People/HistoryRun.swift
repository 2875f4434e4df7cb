import EventLog
import EventModel
import Primitives
import TrackingCore

/// A difference between the model and the SDK.
struct Difference: Error, CustomStringConvertible {
    let what: String
    let expected: String
    let found: String
    /// What differs, without numbers.
    var kind: String {
        String(what.filter { !$0.isNumber }) + expected.filter { !$0.isNumber } + found.filter { !$0.isNumber }
    }
    var description: String { "\(what): the model expects \(expected), the SDK has \(found)" }
}

/// Performs a history on the model and on the SDK, and compares them after each step.
struct HistoryRun {
    private let settings: Settings
    private var model: Model
    private var home: any LogHome
    private let clock = StepClock()
    private let ids = CountedIDs()
    private let sink = NotingSink()
    private let shared = StoredValues()
    private let own: [StoredValues]
    private var processes: [RunningProcess?]
    /// Containers and reports of ended processes.
    private var containers: [TrackingContainer] = []
    private var rejectedUsers = 0
    /// How many ids there were when the last process started.
    private var idsAtStart: UInt64 = 0
    private var identifiers = Identifiers()

    /// Returns the number of performed steps.
    static func run(_ history: History, progress: Progress) async throws -> Int {
        var run = try HistoryRun(history.settings)
        progress.begin("  \(history.settings)")
        do {
            for step in history.steps {
                progress.step(step)
                do { try await run.perform(step) } catch let error as EventLogError {
                    throw Difference(what: "the outcome of '\(step)'", expected: "no error", found: "\(error)")
                }
            }
            await run.endAll()
        } catch {
            await run.endAll()
            throw error
        }
        return history.steps.count
    }

    private init(_ settings: Settings) throws {
        self.settings = settings
        model = Model(settings)
        home = settings.store == .memory ? MemoryHome() : try FolderHome()
        own = (0..<settings.processes).map { _ in StoredValues() }
        processes = Array(repeating: nil, count: settings.processes)
    }

    private mutating func endAll() async {
        let logs = processes.compactMap { $0?.log }
        for process in processes.indices { end(process, closes: false) }
        // The comparisons are done; this only closes files.
        if home.closes { for log in logs { try? await log.close() } }
        home.remove()
    }

    // MARK: Steps

    private mutating func perform(_ step: Step) async throws {
        switch step {
        case .start(let process, let opening, let policy, let plan):
            try await start(process, opening, policy, plan: plan)
        case .open(let process): try await open(process)
        case .send(let process, let purpose, let user): try send(process, for: purpose, as: user)
        case .identify(let process, let user):
            guard let tracker = processes[process]?.tracker else { return }
            model.call(.identify(user), process)
            try expect("the result of identify", (1...128).contains(user.count), tracker.identify(user))
        case .reset(let process):
            guard let tracker = processes[process]?.tracker else { return }
            model.call(.reset, process)
            tracker.reset()
        case .answer(let process, let choice, let purposes, let user):
            guard let running = processes[process] else { return }
            let waits = performs(process)
            model.call(.answer(choice, for: purposes, of: user), process)
            // The answer is stored after earlier changes.
            if waits { running.speedUp() }
            try await running.answer(choice, for: purposes, as: user, waits: waits)
            if waits { running.slowDown(settings) }
            // Only a denial waits for removals.
            if isOpen(process), settings.processes == 1, choice == .denied { model.settle() }
        case .erase(let process, let user): try await erase(user, process)
        case .flush(let process):
            guard let running = processes[process], isOpen(process) else { return }
            model.flush()
            await running.tracker.flush()
            try compareDeliveries()
        case .flushToDisk(let process):
            guard isOpen(process) else { return }
            try await compareLog(process)
        case .stop(let process):
            guard let running = processes[process], performs(process) else { return }
            if isOpen(process) { try await compareLog(process) }
            running.speedUp()
            if home.closes { try await running.tracker.close() }
            if home.closes, settings.processes == 1 { model.settle() }
            end(process, closes: home.closes)
        case .kill:
            let logs = processes.compactMap { $0?.log }
            // A log in memory survives, so what its trackers do later would be part of the history.
            // A denial without an id is stored for the next start, which a kill may prevent.
            for process in processes.indices where performs(process) && !isOpen(process) {
                try await processes[process]?.tracker.close()
            }
            if home.closes {
                model.interrupt()
            } else {
                for process in processes.indices where isOpen(process) { try await processes[process]?.finish() }
            }
            for process in processes.indices { end(process, closes: false) }
            try await home.wasKilled(logs)
            return
        case .clock(let seconds):
            model.time += seconds
            clock.step(seconds)
        }
        for process in processes.indices { try await compareOpening(process) }
        try compare()
    }

    /// Whether a call of the process is performed immediately.
    private func performs(_ process: Int) -> Bool {
        isOpen(process) || model.processes[process]?.isUnopened ?? false
    }

    private func isOpen(_ process: Int) -> Bool { model.processes[process]?.isOpen ?? false }

    private mutating func start(
        _ process: Int, _ opening: Opening, _ policy: ConsentPolicy, plan: [Purpose]?
    ) async throws {
        guard processes[process] == nil else { return }
        let opensWhenNeeded = settings.opensWhenNeeded && policy.storesNothingBefore
        model.start(process, policy, plan: plan)
        idsAtStart = ids.madeUUIDs
        processes[process] = try RunningProcess(
            settings, opening, policy, plan: plan, values(of: process), home, clock, ids, sink)
        if opensWhenNeeded { return model.look(process) }
        if opening == .prompt || settings.isLive { try await open(process) }
    }

    private mutating func open(_ process: Int) async throws {
        guard let running = processes[process], !isOpen(process) else { return }
        model.open(process)
        try await running.open()
        try await running.finishAnswers()
        running.slowDown(settings)
    }

    private func values(of process: Int) -> StoredValues { settings.sharesIdentity ? shared : own[process] }

    private mutating func send(_ process: Int, for purpose: Purpose, as user: String?) throws {
        guard let running = processes[process] else { return }
        let wasOpen = isOpen(process)
        let performs = performs(process)
        let isDenied = model.consent(process, for: purpose, of: user)?.value == .denied
        let token = model.newEvent(process, for: purpose, by: user)
        model.call(.send(token: token, purpose, by: user), process)
        let receipt = running.send(token, for: purpose, as: user)
        let found = receipt.map { $0.seq.map(String.init) ?? "pending" } ?? "nil"
        guard performs else { return try expect("the receipt before the opening", isDenied ? "nil" : "pending", found) }
        let isDropped = if case .dropped = model.events[token].state { true } else { false }
        let number = wasOpen ? model.events[token].seq.map(String.init) : nil
        try expect("the receipt", isDropped ? "nil" : number ?? "pending", found)
    }

    private mutating func erase(_ user: String, _ process: Int) async throws {
        guard let running = processes[process], performs(process) else { return }
        running.speedUp()
        let isValid = (1...128).contains(user.count)
        let erased = isValid ? model.erase(user, process) : []
        sink.erased.withLock { $0 = [] }
        var result = try await running.tracker.erase(user: user)
        // Another process may be asking the sink.
        while settings.processes > 1, case .pending? = result.sinks["noting"] {
            result = try await running.tracker.erase(user: user)
        }
        running.slowDown(settings)
        guard isOpen(process), isValid else {
            return try expect("the sinks that erase", 0, result.sinks.count)
        }
        if settings.processes == 1 { model.settle() }
        try expect("the outcome at the sink", .done, result.sinks["noting"])
        // A range may also have numbers that were erased before.
        let numbers = sink.erased.withLock { Set($0) }
        try expect("the numbers that are missing in the request", [], erased.subtracting(numbers).sorted())
        let others = model.events.filter { !$0.isRemoved && $0.state != .dropped(.erased) }.compactMap(\.seq)
        try expect("the numbers of other events in the request", [], numbers.intersection(others).sorted())
    }

    private mutating func end(_ process: Int, closes: Bool) {
        guard let running = processes[process] else { return }
        containers += running.seen.containers.withLock { $0 }
        rejectedUsers += running.seen.rejectedUsers.withLock { $0 }
        running.cut()
        processes[process] = nil
        model.end(process, closes: closes)
    }

    // MARK: Comparisons

    private func expect<Value: Equatable>(_ what: String, _ expected: Value, _ found: Value) throws {
        guard expected != found else { return }
        throw Difference(what: what, expected: "\(expected)", found: "\(found)")
    }

    /// Compares whether the log is open, where it is opened only if it is needed.
    private func compareOpening(_ process: Int) async throws {
        guard settings.storesNothingBefore, let running = processes[process] else { return }
        let isWaiting: Bool
        do {
            try await running.tracker.opened()
            isWaiting = false
        } catch let error as EventLogError where error.code == .consentUnknown { isWaiting = true }
        try expect("whether the log is open", isOpen(process), !isWaiting)
        guard isWaiting else { return }
        try expect("whether the log was opened", false, running.log != nil)
        try expect("whether there is a file", model.hasLog, home.hasFiles)
        try expect("the ids that were made", idsAtStart, ids.madeUUIDs)
    }

    /// Compares the values that are defined at any time.
    private mutating func compare() throws {
        for (number, process) in processes.enumerated() {
            for purpose in settings.hasPurposes ? Model.purposes : [.analytics] {
                for user in [nil] + (settings.hasUsers ? History.serverUsers : []) {
                    guard let process, let expected = model.consent(number, for: purpose, of: user) else { continue }
                    let found = process.consent(for: purpose, of: user)
                    let whose = user.map { "'\($0)' in process \(number)" } ?? "process \(number)"
                    try expect("the consent of \(whose) for \(purpose)", Self.text(expected), Self.text(found))
                }
            }
        }
        try compareEvents()
    }

    private static func text(_ status: ConsentStatus) -> String {
        "\(status.value)\(status.isAnswered ? ", answered" : "")"
    }

    private mutating func compareEvents() throws {
        let all = containers + processes.compactMap { $0?.seen.containers.withLock { $0 } }.joined()
        let found = Dictionary(all.map { ($0.seq, $0) }, uniquingKeysWith: { one, _ in one })
        try expect("the number of dispatched events", Int(model.seq), all.count)
        for event in model.events.sorted(by: { ($0.seq ?? 0) < ($1.seq ?? 0) }) {
            guard let seq = event.seq, let name = event.name, let session = event.session else { continue }
            guard let container = found[seq] else {
                throw Difference(what: "event \(seq)", expected: "the event", found: "none")
            }
            let ping = container.event as? any TokenEvent
            try expect("the call whose event has number \(seq)", event.token, ping?.token ?? -1)
            try identifiers.compare("the user of event \(seq)", name, container.userID)
            try identifiers.compare("the session of event \(seq)", session, container.sessionID)
        }
        for (number, process) in processes.enumerated() where isOpen(number) {
            guard let process, let known = model.identity(number),
                model.processes[number]?.known?.device == known.device
            else { continue }
            let device = process.environment.device.store.state.deviceID
            guard !known.isUnnamed else {
                try expect("the device of process \(number)", "", device)
                continue
            }
            try identifiers.compare("the device of process \(number)", Model.Name.device(known.device), device)
        }
        let rejected = rejectedUsers + processes.compactMap { $0?.seen.rejectedUsers.withLock { $0 } }.reduce(0, +)
        try expect("the number of rejected users", model.rejectedUsers, rejected)
    }

    private func compareDeliveries() throws {
        let found = sink.seqs.withLock { $0 }
        let undecided = Set(model.events.filter(\.mayBeDelivered).compactMap(\.seq))
        let expected = model.events.filter { $0.state == .delivered }.compactMap(\.seq).sorted()
        try expect("the delivered events", expected, found.sorted().filter { !undecided.contains($0) })
        try expect("the number of deliveries", Set(found).count, found.count)
    }

    /// Compares the log when all changes are stored.
    private mutating func compareLog(_ process: Int) async throws {
        for (number, process) in processes.enumerated() where isOpen(number) {
            let waits = model.events.contains { $0.process == number && $0.state == .waiting }
            try expect("whether events wait", waits, try await process?.flushToDisk() ?? false)
        }
        for process in processes { process?.slowDown(settings) }
        guard let log = processes[process]?.log else { return }
        try compareDeliveries()
        // In a file, a removal without a caller that waits for it may follow later.
        if !home.closes { model.settle() }
        let records = try await log.read(after: 0, maximumCount: .max, maximumBytes: .max)
        let left = Set(records.map(\.seq))
        var inLog: [Int64] = []
        var expected: [String: Int64] = [:]
        var found: [String: Int64] = [:]
        for entry in try await log.ledger() { found[entry.reason.rawValue, default: 0] += entry.count }
        for event in model.events {
            switch event.state {
            case .delivered where event.isErased: expected[DropReason.erased.rawValue, default: 0] += 1
            case .queued, .delivered: inLog += event.seq.map { [$0] } ?? []
            case .removed where (event.mayRemain || !event.isSettled) && event.seq.map(left.contains) == true:
                inLog += event.seq.map { [$0] } ?? []
            case .removed(let reason) where !event.mayBeErased: expected[reason.rawValue, default: 0] += 1
            case .dropped(let reason): expected[reason.rawValue, default: 0] += 1
            case .held, .waiting, .removed: break
            }
        }
        for case .removed(let reason) in model.events.filter(\.mayBeErased).map(\.state) {
            let isErased = found[reason.rawValue, default: 0] <= expected[reason.rawValue, default: 0]
            expected[isErased ? DropReason.erased.rawValue : reason.rawValue, default: 0] += 1
        }
        try expect("the events in the log", inLog.sorted(), records.map(\.seq))
        let purposes = Dictionary(
            uniqueKeysWithValues: model.events.compactMap { event in
                event.seq.map { ($0, event.purpose) }
            })
        try expect(
            "the purposes in the log", records.map { purposes[$0.seq]?.name ?? "" }, records.map(\.purpose.name))
        try expect("the ledger", Self.text(expected), Self.text(found))
        try expect("the newest number", model.seq, try await log.statistics().lastSeq)
    }

    private static func text(_ counts: [String: Int64]) -> String {
        counts.isEmpty
            ? "nothing" : counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    }
}

/// Which id or session of the SDK is which of the model.
private struct Identifiers {
    private var names: [Model.Name: String] = [:]
    private var sessions: [Int: String] = [:]

    mutating func compare(_ what: String, _ name: Model.Name, _ found: String) throws {
        if case .user(let user) = name {
            guard user == found else { throw Difference(what: what, expected: "'\(user)'", found: "'\(found)'") }
            return
        }
        if let known = names[name] {
            guard known == found else { throw Difference(what: what, expected: "device \(known)", found: found) }
        } else {
            let isKnown =
                names.values.contains(found) || History.users.contains { found.hasPrefix($0) } || found.isEmpty
            guard !isKnown else { throw Difference(what: what, expected: "a new device", found: found) }
            names[name] = found
        }
    }

    mutating func compare(_ what: String, _ session: Model.Session, _ found: String) throws {
        if let known = sessions[session.number] {
            guard known == found else { throw Difference(what: what, expected: "session \(known)", found: found) }
        } else {
            guard session.mayContinue || !sessions.values.contains(found) else {
                throw Difference(what: what, expected: "a new session", found: found)
            }
            sessions[session.number] = found
        }
    }
}
