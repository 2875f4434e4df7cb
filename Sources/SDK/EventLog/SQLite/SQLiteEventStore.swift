internal import Dispatch
public import EventModel
internal import Foundation
import GRDB

/// The event log in an SQLite file, with a memory-mapped journal in front: WAL mode, STRICT tables, any number of
/// writers.
///
/// ```swift
/// let log = try SQLiteEventStore(path: "/…/events.sqlite", options: .init(installID: { UUID().uuidString }))
/// ```
///
/// **Writing.** ``append(lineCapacity:priority:_:)`` copies the record into a journal in shared memory and returns: it
/// survives SIGKILL from then on. A mover in the background brings it into the database, up to
/// ``Options/eventsPerTransaction`` in a transaction. ``commit()`` waits for that, ``flushToDisk()`` for the disk.
///
/// **When the database cannot be written**, or not fast enough, events wait in the journal, which grows up to
/// ``Options/maximumPendingBytes``, writing is tried again every second, and what comes past that limit is
/// dropped and counted as ``DropReason/backlogFull``.
///
/// **Instances.** Any number of instances, in one process or several, may have a log open. Each appends to a journal
/// of its own, all draw their numbers from one counter, and whichever moves next moves for all. What a killed process
/// has left is moved by the next one. See <doc:EventLog> for how.
public final class SQLiteEventStore: EventStore {
    /// The file.
    public let path: String
    let writer: JournalWriter
    let worker: LogWorker
    let queue: DispatchQueue
    let consents: ConsentView
    private let time: SharedBackgroundTime
    public let deliveries = DeliveryRegistry()
    /// How long the mover lets events come together while events come.
    private static let pause = DispatchTimeInterval.milliseconds(20)
    /// After so many pauses without an event the mover sleeps, and the next event wakes it.
    private static let pausesBeforeSleep = 25
    /// When a mover that sleeps looks whether the journal can be made small again.
    private static let timeToTidy = DispatchTimeInterval.milliseconds(5_500)
    /// How long an operation tries to move what was sent before it.
    private static let patience = Duration.seconds(1)

    /// Opens a log, or makes one, and takes over what killed processes have left in its journals. Blocks the thread, for up
    /// to ``Options/busyTimeout`` if another program keeps a lock: ``open(path:options:)`` does not.
    ///
    /// - Parameters:
    ///   - path: The database file. Its folder must exist; files and folders with its name and a suffix are the
    ///     log's, too.
    ///   - options: How it is written.
    /// - Throws: ``EventLogError``: `cannotOpen`, `notAnEventLog`, `newerVersion`, `inUse` (a lock that another
    ///   program does not give back), `diskFull` (the journal's space is put aside here), `io`. A damaged log is
    ///   salvaged and put aside instead. `expired`, if the background time ends while it waits for a lock.
    public convenience init(path: String, options: Options) throws {
        let time = SharedBackgroundTime(options.backgroundTime)
        // Without time it opens nevertheless: the caller waits for it.
        let assertion = time.begin(Self.openingName) {}
        defer { assertion?.end() }
        try self.init(path, options, time)
    }

    private static let openingName = "Opening the event log"

    /// Opens a log, or makes one, on a thread of its own: neither the caller's nor one of Swift's pool waits for files and
    /// locks. For the launch of an app, with `TrackingEnvironment.live(opening:)`.
    ///
    /// It runs under ``Options/backgroundTime``. When the time expires while it waits for a lock, it begins anew once there is
    /// time again. Cancelling the task has no effect.
    ///
    /// - Parameters:
    ///   - path: The database file. Its folder must exist; files and folders with its name and a suffix are the
    ///     log's, too.
    ///   - options: How it is written.
    /// - Throws: ``EventLogError``, as the initialiser, but never `expired`.
    public static func open(path: String, options: Options) async throws -> SQLiteEventStore {
        let queue = DispatchQueue(label: "EventLog.opening", qos: .userInitiated)
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { open(path, options, on: queue, continuation) }
        }
    }

    private static func open(
        _ path: String, _ options: Options, on queue: DispatchQueue,
        _ continuation: CheckedContinuation<SQLiteEventStore, any Error>
    ) {
        let time = SharedBackgroundTime(options.backgroundTime)
        let assertion = time.begin(openingName) {}
        defer { assertion?.end() }
        let result = Result {
            if assertion == nil { throw EventLogError.expired(path) }
            return try SQLiteEventStore(path, options, time)
        }
        if case .failure(let error as EventLogError) = result,
            error.code == .expired || time.isOver && error.code == .inUse
        {
            return queue.asyncAfter(deadline: .now() + .seconds(1)) { open(path, options, on: queue, continuation) }
        }
        continuation.resume(with: result)
    }

    private init(_ path: String, _ options: Options, _ time: SharedBackgroundTime) throws {
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
    }

    deinit {
        // On the queue: whatever was asked before runs first.
        if !writer.isForked { queue.async { [worker] in worker.abandon() } }
    }

    // MARK: Appending

    public var installID: String { writer.installID }

    /// The newest event that was appended here, or, before the first, that the log had when it was opened.
    public var newest: EventRecord? { writer.newest }

    public var backgroundTime: any BackgroundTime { time }

    public var durability: Durability { .survivesProcessKill }

    public func append(
        lineCapacity: Int, priority: EventPriority,
        _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        var (outcome, wakes) = writer.append(lineCapacity: lineCapacity, priority: priority, fill)
        while case .sealed = outcome {
            guard goOnInNewRing() else { return .failure(EventDropped(.backlogFull)) }
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
        while case .sealed = outcome, goOnInNewRing() { outcome = writer.count(reason, at: time) }
        if case .counted(true) = outcome { queue.async { self.keepMoving() } }
    }

    /// After somebody has taken this writer for dead: waits, as the one exception, for the journals' lock.
    ///
    /// - Returns: False if no new ring can be made: no room, or no access.
    private func goOnInNewRing() -> Bool {
        queue.sync { [worker] in
            guard writer.ring.isSealed else { return true }
            let assertion = time.begin("Going on in a new journal") {}
            defer { assertion?.end() }
            return (try? worker.rejoin()) != nil
        }
    }

    // MARK: The mover

    /// Moves what came together, pauses, and so on until nothing comes. Holds the log until then: dropping the last
    /// reference loses nothing that waits.
    private func keepMoving(idlePauses: Int = 0) {
        guard worker.moverTime.begin(time) else { return moveLater() }
        let mark = writer.mark
        let wasIdle = writer.isIdle
        let isDone: Bool
        do {
            // No further than this: whoever waits behind it does not wait for what is sent meanwhile.
            isDone = try worker.move(upTo: writer.drawn)
            try worker.eraseTraces()
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
        queue.asyncAfter(deadline: .now() + Self.pause) { self.keepMoving(idlePauses: idlePauses) }
    }

    /// Goes on in a second, without background time until then: the database can't be written, or the time is over.
    /// Everything is still in the journal. A process that is suspended meanwhile goes on when it is resumed.
    private func moveLater() {
        worker.moverTime.end()
        queue.asyncAfter(deadline: .now() + .seconds(1)) { self.keepMoving() }
    }

    private func tidy() {
        guard let assertion = time.begin("Making the event journal small", onExpiry: {}) else { return }
        defer { assertion.end() }
        worker.tidy()
    }

    /// Runs `body` on the log's queue, after moving what was sent before for at most ``patience``: on a full disk, or
    /// with a long backlog, `body` works on what is stored.
    package func perform<T: Sendable>(_ body: @escaping @Sendable (LogWorker) throws -> T) async throws -> T {
        let end = writer.drawn
        return try await onQueue { worker in
            do {
                try worker.moveAll(upTo: end, within: Self.patience)
                try worker.eraseTraces()
            } catch let error as EventLogError
                where error.code != .closed
            {
                // Everything is still in the journal, and the mover goes on trying. If it matters, `body` fails, too.
            }
            return try body(worker)
        }
    }

    /// Runs `body` on the log's queue, when what was sent before the call has been moved.
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
        // Before it waits for the queue. Without time, the worker says so.
        let assertion = time.begin("Working on the event log") {}
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [worker, time] in
                let assertion = assertion ?? time.begin("Working on the event log") {}
                let result = Result { try body(worker) }
                assertion?.end()
                continuation.resume(with: result)
            }
        }
    }

    /// A queue does not run in a forked child.
    private func refuseForkedChild() throws {
        guard !writer.isForked else {
            throw EventLogError(.closed, "the log \(path) is the parent process's: open it anew in this one")
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
