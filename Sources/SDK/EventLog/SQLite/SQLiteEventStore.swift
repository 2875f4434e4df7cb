internal import Dispatch
public import EventModel
internal import Foundation
import GRDB

/// The event log in an SQLite file with a memory-mapped journal. Uses WAL mode and STRICT tables, and supports any
/// number of writers.
///
/// ```swift
/// let log = try SQLiteEventStore(path: "/…/events.sqlite", options: .init(installID: { UUID().uuidString }))
/// ```
///
/// **Writing.** ``append(lineCapacity:priority:_:)`` copies the record into a journal in shared memory and returns.
/// From then on the event survives SIGKILL. A background mover stores events in the database, up to
/// ``Options/eventsPerTransaction`` per transaction. ``commit()`` waits until they are stored, ``flushToDisk()`` until
/// they are on the disk.
///
/// **When the database is not writable or too slow,** events wait in the journal, which grows up to
/// ``Options/maximumPendingBytes``. The mover retries every second. Events past that limit are dropped and counted as
/// ``DropReason/backlogFull``.
///
/// **Instances.** Any number of instances, in one process or several, can have a log open. Each appends to its own
/// journal, all take their numbers from one counter, and each mover moves the events of all instances, including those
/// that a killed process has left. <doc:EventLog> describes the design.
public final class SQLiteEventStore: BlockingEventReader {
    /// The path of the database file.
    public let path: String
    let writer: JournalWriter
    let worker: LogWorker
    let queue: DispatchQueue
    let consents: ConsentView
    private let time: SharedBackgroundTime
    public let deliveries = DeliveryRegistry()
    /// The number of pauses without an event after which the mover sleeps. The next event wakes it.
    private static let pausesBeforeSleep = 25
    /// When a sleeping mover checks whether the journal can shrink.
    private static let timeToTidy = DispatchTimeInterval.milliseconds(5_500)
    /// How long an operation tries to move the events sent before it.
    private static let patience = Duration.seconds(1)

    /// Opens or creates a log, and takes over the events of killed processes. Blocks the thread, for up to
    /// ``Options/busyTimeout`` if another program holds a lock. Use ``open(path:options:)`` to avoid blocking.
    ///
    /// - Parameters:
    ///   - path: The database file. Its folder must exist. Files and folders whose names start with this name also
    ///     belong to the log.
    ///   - options: How the log is written.
    /// - Throws: ``EventLogError``: `cannotOpen`, `notAnEventLog`, `newerVersion`, `inUse` (another program keeps a
    ///   lock), `diskFull` (the journal's disk space is reserved here), `io`, or `expired` if the background time ends
    ///   during a wait for a lock. A damaged log is quarantined and salvaged, and does not throw.
    public convenience init(path: String, options: Options) throws {
        let time = SharedBackgroundTime(options.backgroundTime)
        // Opens the log even without background time, because the caller waits for it.
        let assertion = time.begin(Self.openingName) {}
        defer { assertion?.end() }
        try self.init(path, options: options, time: time)
    }

    private static let openingName = "Opening the event log"

    /// Opens or creates a log on a separate thread, so that no thread of Swift's cooperative pool waits for files or
    /// locks. Use it at app launch, with `TrackingEnvironment.live(opening:)`.
    ///
    /// Runs under ``Options/backgroundTime``. If the time expires during a wait for a lock, opening restarts once there
    /// is time again. Cancelling the task has no effect.
    ///
    /// - Parameters:
    ///   - path: The database file. Its folder must exist. Files and folders whose names start with this name also
    ///     belong to the log.
    ///   - options: How the log is written.
    /// - Throws: ``EventLogError``, as ``init(path:options:)``, but never `expired`.
    public static func open(path: String, options: Options) async throws -> SQLiteEventStore {
        let queue = DispatchQueue(label: "EventLog.opening", qos: .userInitiated)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { continuation.resume(with: Result { try openBlocking(path: path, options: options) }) }
        }
    }

    /// Like ``open(path:options:)``, and blocks the thread.
    package static func openBlocking(path: String, options: Options) throws -> SQLiteEventStore {
        let time = SharedBackgroundTime(options.backgroundTime)
        while true {
            let assertion = time.begin(openingName) {}
            defer { assertion?.end() }
            do {
                if assertion == nil { throw EventLogError.expired(path) }
                return try SQLiteEventStore(path, options: options, time: time)
            } catch let error as EventLogError
                where error.code == .expired || time.isOver && error.code == .inUse
            {
                sleep(1)
            }
        }
    }

    private init(_ path: String, options: Options, time: SharedBackgroundTime) throws {
        self.path = path
        self.time = time
        var options = options
        options.time = time
        queue = DispatchQueue(label: "EventLog", qos: .utility)
        do {
            worker = try LogOpening.open(path, options)
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
        writer = worker.writer
        consents = worker.consents
        consents.whenIncomplete { [weak worker, queue] in
            // Otherwise the next operation reads it.
            queue.async { [weak worker] in _ = try? worker?.exclusively { _ in } }
        }
    }

    deinit {
        // On the queue, so that earlier operations run first.
        if !writer.isForked { queue.async { [worker] in worker.abandon() } }
    }

    public var installID: String { writer.installID }

    /// The newest event that this instance appended. Before the first append, the newest event when the log was opened.
    public var newest: EventRecord? { writer.newest }

    public var backgroundTime: any BackgroundTime { time }

    public var durability: Durability { .survivesProcessKill }

    public func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        var (outcome, wakes) = writer.append(lineCapacity: lineCapacity, priority: priority, fill)
        while case .sealed = outcome {
            guard continueInNewRing() else { return .failure(EventDropped(.backlogFull)) }
            (outcome, wakes) = writer.append(lineCapacity: lineCapacity, priority: priority, fill)
        }
        if !wakes.isEmpty { wake(wakes) }
        switch outcome {
        case .accepted(let seq): return .success(seq)
        case .dropped(let drop): return .failure(drop)
        case .sealed: return .failure(EventDropped(.closed))
        }
    }

    private func wake(_ wakes: JournalWriter.Wakes) {
        if wakes.contains(.mover) { queue.async { self.keepMoving() } }
        if wakes.contains(.supply) { writer.startRefill() }
    }

    public func recordDrop(_ reason: DropReason, at time: EventTime?) {
        var outcome = writer.count(reason, at: time)
        while case .sealed = outcome, continueInNewRing() { outcome = writer.count(reason, at: time) }
        if case .counted(true) = outcome { queue.async { self.keepMoving() } }
    }

    /// Replaces a ring that another process has sealed. The only place where a sender waits for the journals' lock.
    ///
    /// - Returns: False if no new ring can be made, for lack of space or access.
    private func continueInNewRing() -> Bool {
        queue.sync { [worker] in
            guard writer.ring.isSealed else { return true }
            let assertion = time.begin("Replacing the event journal") {}
            defer { assertion?.end() }
            // The reason is lost; the result is the same for lack of space and of access.
            return (try? worker.rejoin()) != nil
        }
    }

    /// Moves waiting events, pauses, and repeats until no events come. Keeps the log alive until then, so that
    /// releasing the last reference loses no waiting event.
    private func keepMoving(idlePauses: Int = 0) {
        guard worker.moverTime.begin(time) else { return moveLater() }
        let mark = writer.mark
        let wasIdle = writer.isIdle
        let isDone: Bool
        do {
            // The end is fixed here, so that queued operations do not wait for events that are sent meanwhile.
            isDone = try worker.move(upTo: writer.drawn)
            try worker.eraseTraces()
            worker.rewriteIfDue(isIdle: false)
        } catch let error as EventLogError where error.code == .closed {
            return worker.moverTime.end()
        } catch {
            return moveLater()
        }
        let idlePauses = wasIdle ? idlePauses + 1 : 0
        if idlePauses >= Self.pausesBeforeSleep && writer.letMoverSleep(after: mark) {
            worker.rest()
            worker.moverTime.end()
            if writer.hasGrown {
                queue.asyncAfter(deadline: .now() + Self.timeToTidy) { [weak self] in self?.tidy() }
            }
            return
        }
        if isDone, worker.hasBacklog { return queue.async { self.keepMoving(idlePauses: idlePauses) } }
        queue.asyncAfter(deadline: .now() + worker.options.movePause) { self.keepMoving(idlePauses: idlePauses) }
    }

    /// Retries in one second, because the database can't be written or the background time is over. Holds no background
    /// time until then. All events are still in the journal. If the process is suspended meanwhile, moving continues
    /// when it resumes.
    private func moveLater() {
        worker.moverTime.end()
        queue.asyncAfter(deadline: .now() + .seconds(1)) { self.keepMoving() }
    }

    /// Runs a step that callers wait for, now or at the end of the pause after its last run. Call it on the log's queue.
    func run(_ step: PacedStep, _ body: @escaping @Sendable (LogWorker) throws -> Void) {
        let rest = step.rest
        guard !step.isEmpty, !step.isScheduled else { return }
        guard rest > .zero else {
            _ = try? body(worker)  // The callers get the error.
            return
        }
        step.isScheduled = true
        let assertion = time.begin("Storing answers") {}
        queue.asyncAfter(deadline: .now() + .microseconds(Int(rest / .microseconds(1)) + 1)) {
            step.isScheduled = false
            self.run(step, body)
            assertion?.end()
        }
    }

    private func tidy() {
        guard let assertion = time.begin("Shrinking the event journal", onExpiry: {}) else { return }
        defer { assertion.end() }
        worker.tidy()
    }

    /// Runs `body` on the log's queue, after moving the events sent before for at most ``patience``. On a full disk, or
    /// with a long backlog, `body` works with the stored events.
    package func perform<T: Sendable>(_ body: @escaping @Sendable (LogWorker) throws -> T) async throws -> T {
        let end = writer.drawn
        return try await onQueue { worker in
            try Self.move(upTo: end, worker)
            return try body(worker)
        }
    }

    private static func move(upTo end: Int64, _ worker: LogWorker) throws {
        do {
            try worker.moveAll(upTo: end, within: Self.patience)
            try worker.eraseTraces()
        } catch let error as EventLogError
            where error.code != .closed
        {
            // All events are still in the journal, and the mover retries. If the error also affects what follows, it is
            // thrown there.
        }
    }

    package func readBlocking(after seq: Int64, maximumCount: Int, maximumBytes: Int) throws -> [EventRecord] {
        try refuseForkedChild()
        let assertion = time.begin("Using the event log") {}
        defer { assertion?.end() }
        let end = writer.drawn
        return try queue.sync { [worker] in
            try Self.move(upTo: end, worker)
            return try worker.reading { db in
                try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes)
            }
        }
    }

    /// Runs `body` on the log's queue, after all events sent before the call were moved.
    func performOnAll<T: Sendable>(_ body: @escaping @Sendable (LogWorker) throws -> T) async throws -> T {
        let end = writer.drawn
        return try await onQueue { worker in
            try worker.moveAll(upTo: end)
            try worker.eraseTraces()
            return try body(worker)
        }
    }

    func onQueue<T: Sendable>(_ body: @escaping @Sendable (LogWorker) throws -> T) async throws -> T {
        try refuseForkedChild()
        // Begins before waiting for the queue. Without time, the worker throws `expired`.
        let assertion = time.begin("Using the event log") {}
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [worker, time] in
                let assertion = assertion ?? time.begin("Using the event log") {}
                let result = Result { try body(worker) }
                assertion?.end()
                continuation.resume(with: result)
            }
        }
    }

    /// Throws in a forked child, where the queue does not run.
    func refuseForkedChild() throws {
        guard !writer.isForked else {
            throw EventLogError(.closed, "the log \(path) belongs to the parent process; open it again in this process")
        }
    }

    public func commit() async throws { try await performOnAll { _ in } }

    public func flushToDisk() async throws { try await performOnAll { worker in try worker.sync() } }

    public func syncStored() async throws -> Int64 {
        try await perform { worker in
            try worker.sync()
            return worker.lastSeq
        }
    }

    public func close() async throws { try await onQueue { worker in try worker.close() } }
}
