import Foundation
import LogFixtures
import Primitives
import TrackingCore
import TrackingTesting

enum Route: RouteCommand { case home }

/// Any event name and any value, for cases that the typed events don't cover.
struct Odd: TrackingEvent {
    static let name = "odd"
    let number: Double
}

struct Misnamed: TrackingEvent {
    static let name = "Not-Kebab"
}

/// Dependencies that outlive an environment, as files outlive a process.
final class TestDependencies: Sendable {
    let clock = ManualTrackingClock(EventTime(seconds: 1000))
    let storage = InMemoryKeyValueStorage()
    let log = InMemoryEventStore(installID: "install")
    let ids = SequentialTrackingIDs()
    let diagnostics = Locked<[String]>([])

    func start(
        sinks: [any Sink] = [], policy: FlushPolicy = .manual, timer: any Clock<Duration> = ContinuousClock(),
        limit: SendingLimit? = .standard, consent: ConsentPolicy = .assumed, unplanned: UnplannedEvents = .rejected
    ) -> TrackingEnvironment<Route> {
        let diagnostics: @Sendable (TrackingDiagnostic) -> Void = { [weak self] in self?.report($0) }
        do {
            // Waits are the longest possible.
            let flusher = try EventFlusher(
                log: log, sinks: sinks, policy: policy, clock: clock, timer: timer, diagnostics: diagnostics,
                jitter: { $0 })
            return try .live(
                log: log, storage: storage, clock: clock, ids: ids, flusher: flusher, sendingLimit: limit,
                unplanned: unplanned, consent: consent, context: nil, diagnostics: diagnostics)
        } catch { preconditionFailure("\(error)") }
    }

    /// The setup of a tracker whose log is opened later; flushes manually.
    func setup(timer: any Clock<Duration> = ContinuousClock()) -> TrackerSetup {
        var setup = TrackerSetup(
            clock: clock, timer: timer, ids: ids, context: nil, diagnostics: { [weak self] in self?.report($0) })
        setup.flushPolicy = .manual
        return setup
    }

    func report(_ diagnostic: TrackingDiagnostic) {
        let text =
            switch diagnostic {
            case .dropped(let name, let reason): "dropped \(name) \(reason.rawValue)"
            case .droppedRepeatedly(let name, let reason, let count):
                "dropped \(name) \(reason.rawValue) \(count) times"
            case .userRejected: "user rejected"
            case .outOfLimits(let name, let error): "\(name): \(error)"
            case .notEncodable(let name, let path, let reason): "\(name) at '\(path)': \(reason)"
            case .log(let error), .storage(let error): "\(error)"
            case .sinkDelayed(let sink, let reason): "\(sink) delayed: \(reason)"
            case .sinkHalted(let sink, let reason): "\(sink) halted: \(reason)"
            case .sinkRefused(let sink, let seqs, let reason): "\(sink) refused \(seqs): \(reason)"
            case .sinkRewound(let sink, let seq, _): "\(sink) rewound to \(seq)"
            case .switches(let error): "switches \(error.code)"
            }
        diagnostics.withLock { $0.append(text) }
    }

    var now: EventTime { clock.now }

    /// Lets the next sleeper's time pass, and returns the duration.
    func pass(_ timer: ManualTimer) async -> Duration? { await timer.fire { self.clock.advance(by: $0) } }

    func lines() -> [String] { log.records.map { String(decoding: $0.line, as: UTF8.self) } }

    func strings(_ member: String) throws -> [String] {
        try log.records.map { try JSONParser.parse($0.line)[member]?.stringValue ?? "none" }
    }
}

/// Records its arguments, and returns the configured answers.
final class RecordingSink: Sink {
    typealias Answer = @Sendable (EventBatch) -> DeliveryResult
    let name: String
    private let answer: Answer
    private let batches = Locked<[[Int64]]>([])

    init(_ name: String, answer: @escaping Answer = { .delivered(through: $0.records.last?.seq ?? 0, checkpoint: nil) })
    {
        self.name = name
        self.answer = answer
    }

    var delivered: [[Int64]] { batches.withLock { $0 } }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        batches.withLock { $0.append(batch.records.map(\.seq)) }
        return answer(batch)
    }
}

/// A folder that is removed with its owner.
final class SinkFolder: Sendable {
    let path: String

    init() throws {
        path = FileManager.default.temporaryDirectory.appendingPathComponent("sink-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // Otherwise it stays in the system's temporary folder.
        try? FileManager.default.removeItem(atPath: path)
    }

    func file(_ name: String) -> String { "\(path)/\(name)" }

    func names() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path).filter { !$0.hasPrefix(".") }.sorted()
    }

    func text(_ name: String) throws -> String { try String(contentsOfFile: file(name), encoding: .utf8) }

    func bytes(_ name: String) throws -> [UInt8] { try Array(Data(contentsOf: URL(fileURLWithPath: file(name)))) }

    /// The numbers of all events, file by file in the order of names, the open file last. Fails for an incomplete line.
    func seqs() throws -> [[Int64]] {
        let finished = try names().filter { $0.contains("-") && $0.hasSuffix(".jsonl") }
        let open = try names().filter { $0 == "events.jsonl" }
        return try (finished + open).map { name in
            let text = try text(name)
            guard text.isEmpty || text.hasSuffix("\n") else { throw CocoaError(.fileReadCorruptFile) }
            return try text.split(separator: "\n").map { try JSONParser.parse($0.utf8)["seq"]?.integerValue ?? 0 }
        }
    }
}

/// Storage of a device that is locked since its restart.
final class LockedStorage: KeyValueStorage {
    struct NotUnlocked: DeviceLockedError {}

    let behind: InMemoryKeyValueStorage
    private let error = Locked<(any Error)?>(NotUnlocked())

    init(_ values: [String: String]) { behind = InMemoryKeyValueStorage(values) }

    func unlock() { error.withLock { $0 = nil } }

    /// Throws another error from now on.
    func fail(with error: any Error) { self.error.withLock { $0 = error } }

    func string(forKey key: String) throws -> String? {
        if let error = error.withLock({ $0 }) { throw error }
        return behind.string(forKey: key)
    }

    func set(_ value: String?, forKey key: String) throws {
        if let error = error.withLock({ $0 }) { throw error }
        behind.set(value, forKey: key)
    }
}

/// Accepts all batches.
final class AcceptingSink: Sink {
    let name: String
    private let taken = Locked<[EventBatch]>([])
    var batches: [EventBatch] { taken.withLock { $0 } }

    init(_ name: String = "sink") { self.name = name }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        taken.withLock { $0.append(batch) }
        return .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
    }
}
