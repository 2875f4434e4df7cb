import EventLog
import EventModel
import LogFixtures
import Primitives
import TrackingCore
import TrackingDomainEvents
import TrackingHTTP
import TrackingTesting

enum Route: RouteCommand { case home }

/// A device: a log on its disk, and an app that can be restarted.
final class Phone: Sendable {
    static let key = "wk_0123456789abcdef-secret"

    let folder: LogFolder
    let clock = ManualTrackingClock(EventTime(seconds: 1_700_000_000))
    let storage = InMemoryKeyValueStorage()
    let ids = SequentialTrackingIDs()
    private let diagnostics = Locked<[String]>([])
    private let installs = Locked(0)

    private let prefix: String

    /// Makes a device.
    ///
    /// - Parameter prefix: The prefix of its installs' ids.
    init(prefix: String = "install-") throws {
        folder = try LogFolder()
        self.prefix = prefix
    }

    /// The reported diagnostics, in order.
    var reports: [String] { diagnostics.withLock { $0 } }

    /// Starts the app: opens the log again, with a new sink.
    func start(
        _ url: String, key: String = Phone.key, policy: FlushPolicy = .manual, options: HTTPSink.Options = .standard,
        memory: CompressionMemory = CompressionMemory(), backgroundTime: any BackgroundTime = .system
    ) throws -> App {
        var logOptions = SQLiteEventStore.Options(
            installID: { [installs, prefix] in
                installs.withLock { count in
                    count += 1
                    return "\(prefix)\(count)"
                }
            }, retention: .keepAll)
        logOptions.backgroundTime = backgroundTime
        let log = try SQLiteEventStore(path: folder.path, options: logOptions)
        let sink = try HTTPSink(
            DeliveryEndpoint(url), WriteKey(key), name: "http", options: options, clock: clock, memory: memory,
            jitter: { _ in .zero })
        let report: @Sendable (TrackingDiagnostic) -> Void = { [weak self] in self?.report($0) }
        let flusher = try EventFlusher(
            log: log, sinks: [sink], policy: policy, clock: clock, timer: PatientTimer(), diagnostics: report,
            jitter: { $0 })
        let environment = try TrackingEnvironment<Route>.live(
            log: log, storage: storage, clock: clock, ids: ids, flusher: flusher, sendingLimit: nil,
            consent: .assumed, context: nil, diagnostics: report)
        return App(log: log, sink: sink, environment: environment)
    }

    private func report(_ diagnostic: TrackingDiagnostic) {
        let text =
            switch diagnostic {
            case .dropped(let name, let reason): "dropped \(name) \(reason.rawValue)"
            case .droppedRepeatedly(let name, let reason, let count): "dropped \(count) more \(name) \(reason.rawValue)"
            case .userRejected: "user rejected"
            case .outOfLimits(let name, let error): "\(name): \(error)"
            case .notEncodable(let name, let path, let reason): "\(name) at '\(path)': \(reason)"
            case .log(let error), .storage(let error): "\(error)"
            case .sinkDelayed(_, let reason): "delayed: \(reason)"
            case .sinkHalted(_, let reason): "halted: \(reason)"
            case .sinkRefused(_, let seqs, let reason): "refused \(seqs): \(reason)"
            case .sinkRewound(_, let seq, let reason): "rewound to \(seq): \(reason)"
            case .switches(let error): "switches \(error.code): \(error)"
            }
        diagnostics.withLock { $0.append(text) }
    }
}

/// A run of the app.
struct App: Sendable {
    let log: SQLiteEventStore
    let sink: HTTPSink
    let environment: TrackingEnvironment<Route>

    /// Sends events, `size` bytes of text in each.
    func send(_ count: Int, size: Int = 10) {
        let query = String(repeating: "x", count: size)
        for page in 1...count { environment.tracking.send(.search(query: query, page: page)) }
    }

    func flush() async { await environment.tracking.flush() }

    /// The sink's progress.
    func acknowledged() async throws -> Int64 { try await log.cursor(of: "http").acknowledged }

    func deadLetters() async throws -> [DeadLetter] { try await log.deadLetters() }
}

/// Never fires: tests flush manually, and advance the clock.
struct PatientTimer: Clock {
    struct Instant: InstantProtocol {
        let offset: Duration
        func advanced(by duration: Duration) -> Instant { Instant(offset: offset + duration) }
        func duration(to other: Instant) -> Duration { other.offset - offset }
        static func < (left: Instant, right: Instant) -> Bool { left.offset < right.offset }
    }

    var now: Instant { Instant(offset: .zero) }
    var minimumResolution: Duration { .zero }

    func sleep(until deadline: Instant, tolerance: Duration?) async throws {
        try await Task.sleep(for: .seconds(86_400))
    }
}
