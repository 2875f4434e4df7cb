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
        // A log in memory, which all processes share, needs the same object.
        let sink: any Sink = home.closes ? ProcessSink(sink) { [gates] in gates.writing.isCut } : sink
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
            if settings.opensWhenNeeded { setup.unopenedConsent = try home.unopened() }
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

    /// Sends an event of a purpose; of a user, or of the present person.
    func send(_ token: Int, for purpose: Purpose, as user: String?) -> TrackingReceipt? {
        switch purpose {
        case .analytics: send(Ping(token: token), as: user)
        case .exempt: send(NecessaryPing(token: token), as: user)
        case AdPing.purpose: send(AdPing(token: token), as: user)
        default: send(ResearchPing(token: token), as: user)
        }
    }

    private func send(_ event: some TrackingEvent, as user: String?) -> TrackingReceipt? {
        guard let user else { return tracker.send(event) }
        return tracker.as(user: user)?.send(event)
    }

    func consent(for purpose: Purpose, of user: String?) -> ConsentStatus {
        user.flatMap { tracker.as(user: $0)?.consent(for: purpose) } ?? tracker.consent(for: purpose)
    }

    /// Answers.
    ///
    /// - Parameter waits: Whether the method returns when the answer is stored.
    func answer(_ choice: ConsentChoice, for purposes: [Purpose]?, as user: String?, waits: Bool) async throws {
        let answer: @Sendable () async throws -> Void = { [tracker] in
            if let user {
                try await tracker.as(user: user)?.setConsent(choice, for: purposes)
            } else {
                try await tracker.setConsent(choice, for: purposes)
            }
        }
        guard !waits else { return try await answer() }
        answers.append(Task(executorPreference: Self.executor) { try await answer() })
    }

    /// Returns when the held answers are stored.
    func finishAnswers() async throws {
        defer { answers = [] }
        for answer in answers {
            do { try await answer.value } catch { if !fails { throw error } }
        }
    }

    /// - Returns: Whether events wait for an answer, which the log does not have.
    @discardableResult
    func flushToDisk() async throws -> Bool {
        speedUp()
        try await finishAnswers()
        do {
            try await tracker.flushToDisk()
            return false
        } catch let error as EventLogError where error.code == .consentUnknown { return true }
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
