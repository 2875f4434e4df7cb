import EventLog
import EventModel
import Flux
import Primitives
import TrackingCore

/// A tracker in the role of a process.
final class RunningProcess {
    let environment: TrackingEnvironment<Route>
    let seen = Seen()
    private let storage: ProcessStorage
    private let gates: Gates
    /// Whether an attempt of the opening fails.
    private let fails: Bool
    private let subscription: FluxSubscription
    private var answers: [Task<Void, any Error>] = []
    private static let executor = InlineExecutor()

    /// What the tracker reported and dispatched.
    final class Seen: Sendable {
        let containers = Locked<[TrackingContainer]>([])
        let rejectedUsers = Locked(0)
        let log = Locked<(any EventStore)?>(nil)
    }

    private struct Gates: Sendable { let reading, writing, log: Gate }

    var tracker: Tracker { environment.tracking }
    /// The log that this process has opened.
    var log: (any EventStore)? { seen.log.withLock { $0 } }

    init(
        _ settings: Settings, _ opening: Opening, _ policy: ConsentPolicy, plan: [Purpose]?,
        _ stored: StoredValues, _ home: any LogHome,
        _ clock: StepClock, _ ids: CountedIDs, _ sink: NotingSink
    ) throws {
        let failures = opening == .failingStorage ? 2 : 0
        gates = Gates(
            reading: Gate(
                isOpen: settings.isLive || ![.slowStorage, .failingStorage].contains(opening), failures: failures),
            writing: Gate(isOpen: settings.storage != .slow),
            log: Gate(
                isOpen: ![.slowLog, .failingLog].contains(opening), failures: opening == .failingLog ? 2 : 0))
        fails = opening == .failingStorage || opening == .failingLog
        switch settings.storage {
        case .immediate: storage = ImmediateProcessStorage(stored, reading: gates.reading, writing: gates.writing)
        case .prompt, .slow: storage = ProcessStorage(stored, reading: gates.reading, writing: gates.writing)
        case .file: storage = SharedProcessStorage(stored, reading: gates.reading, writing: gates.writing)
        }
        let seen = seen
        let report: @Sendable (TrackingDiagnostic) -> Void = { diagnostic in
            if case .userRejected = diagnostic { seen.rejectedUsers.withLock { $0 += 1 } }
        }
        if settings.isLive {
            let log = try home.open()
            seen.log.withLock { $0 = log }
            let make = { [storage] in
                try TrackingEnvironment<Route>.live(
                    log: log, storage: storage, clock: clock, timer: NoWait(), ids: ids, sinks: [sink],
                    flushPolicy: .manual, sendingLimit: nil, session: settings.resumesSessions ? .resumed : .fresh,
                    consent: policy, context: nil, diagnostics: report)
            }
            var made: TrackingEnvironment<Route>?
            for _ in 0..<failures {
                do { made = try make() } catch is StorageFailure {}
            }
            environment = try made ?? make()
        } else {
            var setup = TrackerSetup(clock: clock, timer: NoWait(), ids: ids, context: nil, diagnostics: report)
            setup.consent = policy
            setup.purposes = plan
            setup.consentScope = settings.scope
            setup.sharesIdentity = settings.sharesIdentity
            setup.flushPolicy = .manual
            setup.sendingLimit = nil
            setup.session = settings.resumesSessions ? .resumed : .fresh
            let home = UncheckedHome(home: home)
            environment = TrackingEnvironment(
                Tracker.open(setup, storage: storage) { [gates] in
                    guard gates.log.pass() else { throw StorageFailure() }
                    // A killed process opens nothing.
                    if gates.log.isCut { return (InMemoryEventStore(installID: "killed"), []) }
                    let log = try home.home.open()
                    seen.log.withLock { $0 = log }
                    return (log, [sink])
                })
        }
        subscription = environment.tracking.dispatcher.subscribe { container in
            seen.containers.withLock { $0.append(container) }
        }
    }

    /// Homes are only changed while no process opens its log.
    private struct UncheckedHome: @unchecked Sendable { let home: any LogHome }

    /// Lets the log open, and returns when it is open and held calls are performed.
    func open() async throws {
        // Opening may wait for the storage.
        speedUp()
        gates.reading.open()
        gates.log.open()
        // Fails after each failed attempt.
        var failures = 0
        while true {
            do { return try await tracker.opened() } catch {
                failures += 1
                guard fails, failures < 1_000_000 else { throw error }
                await Task.yield()
            }
        }
    }

    /// Sends an event of a purpose.
    func send(_ token: Int, for purpose: Purpose) -> TrackingReceipt? {
        switch purpose {
        case .analytics: tracker.send(Ping(token: token))
        case .exempt: tracker.send(NecessaryPing(token: token))
        case AdPing.purpose: tracker.send(AdPing(token: token))
        default: tracker.send(ResearchPing(token: token))
        }
    }

    /// Answers.
    ///
    /// - Parameter waits: Whether the method returns when the answer is stored.
    func answer(_ choice: ConsentChoice, for purposes: [Purpose]?, waits: Bool) async throws {
        guard !waits else { return try await tracker.setConsent(choice, for: purposes) }
        answers.append(
            Task(executorPreference: Self.executor) { [tracker] in try await tracker.setConsent(choice, for: purposes) }
        )
    }

    /// Returns when the held answers are stored.
    func finishAnswers() async throws {
        defer { answers = [] }
        for answer in answers {
            do { try await answer.value } catch { if !fails { throw error } }
        }
    }

    func flushToDisk() async throws {
        speedUp()
        try await finishAnswers()
        try await tracker.flushToDisk()
    }

    /// Lets values be set.
    func speedUp() { gates.writing.open() }

    /// Lets values be set as slowly as before.
    func slowDown(_ settings: Settings) { if settings.storage == .slow { gates.writing.close() } }

    /// Returns when the log has all changes; the storage gets none of them.
    func finish() async throws {
        gates.writing.cut()
        try await flushToDisk()
    }

    /// Keeps the process from changing anything.
    func cut() {
        // In this order, the opening of a killed process never reaches the log.
        for gate in [gates.writing, gates.log, gates.reading] { gate.cut() }
    }
}
