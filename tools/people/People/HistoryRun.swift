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
    private var identifiers = Identifiers()

    /// Returns the number of performed steps.
    static func run(_ history: History, progress: Progress) async throws -> Int {
        var run = try HistoryRun(history.settings)
        progress.begin("  \(history.settings)")
        do {
            for step in history.steps {
                progress.step(step)
                try await run.perform(step)
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
        for process in processes.indices { end(process) }
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
        case .send(let process, let purpose): try send(process, for: purpose)
        case .identify(let process, let user):
            guard let tracker = processes[process]?.tracker else { return }
            model.call(.identify(user), process)
            try expect("the result of identify", (1...128).contains(user.count), tracker.identify(user))
        case .reset(let process):
            guard let tracker = processes[process]?.tracker else { return }
            model.call(.reset, process)
            tracker.reset()
        case .answer(let process, let choice, let purposes):
            guard let running = processes[process] else { return }
            model.call(.answer(choice, for: purposes), process)
            // The answer is stored after earlier changes.
            if isOpen(process) { running.speedUp() }
            try await running.answer(choice, for: purposes, waits: isOpen(process))
            if isOpen(process) { running.slowDown(settings) }
            if isOpen(process), settings.processes == 1 { model.settle() }
        case .flush(let process):
            guard let running = processes[process], isOpen(process) else { return }
            model.flush()
            await running.tracker.flush()
            try compareDeliveries()
        case .flushToDisk(let process):
            guard isOpen(process) else { return }
            try await compareLog(process)
        case .stop(let process):
            guard let running = processes[process], isOpen(process) else { return }
            try await compareLog(process)
            running.speedUp()
            if home.closes { try await running.tracker.close() }
            end(process)
        case .kill:
            let logs = processes.compactMap { $0?.log }
            // A log in memory survives, so what its trackers do later would be part of the history.
            if home.closes {
                model.interrupt()
            } else {
                for process in processes.indices where isOpen(process) { try await processes[process]?.finish() }
            }
            for process in processes.indices { end(process) }
            try await home.wasKilled(logs)
            return
        case .clock(let seconds):
            model.time += seconds
            clock.step(seconds)
        }
        try compare()
    }

    private func isOpen(_ process: Int) -> Bool { model.processes[process]?.isOpen ?? false }

    private mutating func start(
        _ process: Int, _ opening: Opening, _ policy: ConsentPolicy, plan: [Purpose]?
    ) async throws {
        guard processes[process] == nil else { return }
        model.start(process, policy, plan: plan)
        processes[process] = try RunningProcess(
            settings, opening, policy, plan: plan, settings.sharesIdentity ? shared : own[process], home, clock, ids,
            sink)
        if opening == .prompt || settings.isLive { try await open(process) }
    }

    private mutating func open(_ process: Int) async throws {
        guard let running = processes[process], !isOpen(process) else { return }
        model.open(process)
        try await running.open()
        try await running.finishAnswers()
        running.slowDown(settings)
    }

    private mutating func send(_ process: Int, for purpose: Purpose) throws {
        guard let running = processes[process] else { return }
        let isDenied = model.consent(process, for: purpose)?.value == .denied
        let token = model.newEvent(process, for: purpose)
        model.call(.send(token: token, purpose), process)
        let receipt = running.send(token, for: purpose)
        if isOpen(process) {
            let expected = model.events[token].seq.map(String.init) ?? "nil"
            try expect("the receipt", expected, receipt.map { $0.seq.map(String.init) ?? "pending" } ?? "nil")
        } else {
            let expected = isDenied ? "nil" : "pending"
            let found = receipt.map { $0.seq.map(String.init) ?? "pending" } ?? "nil"
            try expect("the receipt before the opening", expected, found)
        }
    }

    private mutating func end(_ process: Int) {
        guard let running = processes[process] else { return }
        containers += running.seen.containers.withLock { $0 }
        rejectedUsers += running.seen.rejectedUsers.withLock { $0 }
        running.cut()
        processes[process] = nil
        model.end(process)
    }

    // MARK: Comparisons

    private func expect<Value: Equatable>(_ what: String, _ expected: Value, _ found: Value) throws {
        guard expected != found else { return }
        throw Difference(what: what, expected: "\(expected)", found: "\(found)")
    }

    /// Compares the values that are defined at any time.
    private mutating func compare() throws {
        for (number, process) in processes.enumerated() {
            for purpose in settings.hasPurposes ? Model.purposes : [.analytics] {
                guard let process, let expected = model.consent(number, for: purpose) else { continue }
                let found = process.tracker.consent(for: purpose)
                try expect(
                    "the consent of process \(number) for \(purpose)", Self.text(expected), Self.text(found))
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
        for (number, process) in processes.enumerated() where isOpen(number) { try await process?.flushToDisk() }
        for process in processes { process?.slowDown(settings) }
        guard let log = processes[process]?.log else { return }
        try compareDeliveries()
        model.settle()
        let records = try await log.read(after: 0, maximumCount: .max, maximumBytes: .max)
        let left = Set(records.map(\.seq))
        var inLog: [Int64] = []
        var expected: [String: Int64] = [:]
        for event in model.events {
            switch event.state {
            case .queued, .delivered: inLog += event.seq.map { [$0] } ?? []
            case .removed where event.mayRemain && event.seq.map(left.contains) == true:
                inLog += event.seq.map { [$0] } ?? []
            case .removed(let reason): expected[reason.rawValue, default: 0] += 1
            case .dropped: expected[DropReason.optedOut.rawValue, default: 0] += 1
            case .held: break
            }
        }
        try expect("the events in the log", inLog.sorted(), records.map(\.seq))
        let purposes = Dictionary(
            uniqueKeysWithValues: model.events.compactMap { event in
                event.seq.map { ($0, event.purpose) }
            })
        try expect(
            "the purposes in the log", records.map { purposes[$0.seq]?.name ?? "" }, records.map(\.purpose.name))
        var found: [String: Int64] = [:]
        for entry in try await log.ledger() { found[entry.reason.rawValue, default: 0] += entry.count }
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
