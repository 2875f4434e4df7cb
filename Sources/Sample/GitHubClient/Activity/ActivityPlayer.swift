internal import Primitives
public import TrackingCore

/// Plays records of activity through the app. Each `actor.id` is a user with a separate environment; all users share
/// one log. The same records always produce the same events, byte for byte.
///
/// **Time** comes from the records. Consecutive records of the same second share it equally: each of n records gets 1/n
/// of the second. Each step of a record's script takes a sixteenth of the record's share, but at most 100 ms, so that
/// two taps in a row always count as a double tap. If the records go back in time, so do the events.
///
/// Not thread-safe.
public final class ActivityPlayer {
    /// The result of playing records.
    public struct Report: Equatable, Sendable {
        /// The number of records, by type.
        public var records: [String: Int] = [:]
        /// The number of events that a type of record caused, by event name.
        public var events: [String: [String: Int]] = [:]
        /// The number of taps that were suppressed as double taps, by type of record.
        public var suppressed: [String: Int] = [:]
        /// The number of users.
        public var users = 0
    }

    private let log: any EventStore
    private let flusher: EventFlusher
    private let catalogue: RepositoryCatalogue
    private let recorder: ActionRecorder?
    private let diagnostics: @Sendable (TrackingDiagnostic) -> Void
    private let onEvent: @Sendable (TrackingContainer) -> Void
    private let clock = PlayerClock()
    private var apps: [String: HeadlessApp] = [:]
    private var second: [ActivityRecord] = []
    private let counter = EventCounter()
    private var subscriptions: [FluxSubscription] = []

    /// The result so far.
    public private(set) var report = Report()

    /// Creates a player.
    ///
    /// - Parameters:
    ///   - log: Stores all users' events.
    ///   - flusher: Delivers the log's events.
    ///   - catalogue: Answers the users' searches.
    ///   - recorder: Records the users' sessions; nil records nothing.
    ///   - diagnostics: Called with each problem.
    ///   - onEvent: Called with each event after it is appended to the log.
    public init(
        log: any EventStore, flusher: EventFlusher, catalogue: RepositoryCatalogue, recorder: ActionRecorder? = nil,
        diagnostics: @escaping @Sendable (TrackingDiagnostic) -> Void,
        onEvent: @escaping @Sendable (TrackingContainer) -> Void
    ) {
        self.log = log
        self.flusher = flusher
        self.catalogue = catalogue
        self.recorder = recorder
        self.diagnostics = diagnostics
        self.onEvent = onEvent
    }

    /// Accepts the next record. The record is played when a record of another second follows, or by ``finish()``.
    public func play(_ record: ActivityRecord) throws {
        if let first = second.first, first.seconds != record.seconds { try playSecond() }
        second.append(record)
    }

    /// Plays the remaining records.
    public func finish() throws { try playSecond() }

    private func playSecond() throws {
        let share = 1_000_000 / Int64(max(second.count, 1))
        let step = min(share / 16, 100_000)
        for (index, record) in second.enumerated() {
            clock.set(EventTime(microseconds: record.seconds * 1_000_000 + Int64(index) * share))
            try play(record, step: .microseconds(step))
        }
        second.removeAll(keepingCapacity: true)
    }

    private func play(_ record: ActivityRecord, step: Duration) throws {
        report.records[record.type, default: 0] += 1
        let isNew = apps[record.actorID] == nil
        let app = try apps[record.actorID] ?? start(record.actorID)
        var suppressed = 0
        let script = ActivityScript(
            app: app, catalogue: catalogue, step: { self.clock.advance(by: step) },
            onSuppressedTap: { suppressed += 1 })
        if isNew { script.start() }
        script.run(record)
        if suppressed > 0 { report.suppressed[record.type, default: 0] += suppressed }
        for (name, count) in counter.take() { report.events[record.type, default: [:]][name, default: 0] += count }
    }

    private func start(_ actorID: String) throws -> HeadlessApp {
        let base = try TrackingEnvironment<GitHubRoute>.live(
            log: log, storage: InMemoryKeyValueStorage(), clock: clock, ids: SeededTrackingIDs(seed: actorID),
            flusher: flusher, session: .fresh, context: TrackingContext(app: "GitHubClient 1.0", os: nil),
            recording: recorder?.environment(), diagnostics: diagnostics)
        subscriptions.append(
            base.tracking.dispatcher.subscribe { [counter, onEvent] container in
                counter.count(container.name)
                onEvent(container)
            })
        let app = HeadlessApp(environment: GitHubEnvironment(base: base, session: catalogue))
        apps[actorID] = app
        report.users += 1
        return app
    }
}

/// The players' clock: it moves only with the records.
private final class PlayerClock: TrackingClock {
    private let time = Locked(EventTime(microseconds: 0))
    var now: EventTime { time.withLock { $0 } }
    func set(_ time: EventTime) { self.time.withLock { $0 = time } }
    func advance(by duration: Duration) { time.withLock { $0 = $0.advanced(by: duration) } }
}

/// Counts events by name.
private final class EventCounter: Sendable {
    private let counts = Locked<[String: Int]>([:])
    func count(_ name: String) { counts.withLock { $0[name, default: 0] += 1 } }
    func take() -> [String: Int] {
        counts.withLock { counts in
            defer { counts = [:] }
            return counts
        }
    }
}
