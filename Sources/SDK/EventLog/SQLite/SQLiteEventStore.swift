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
/// **Writing.** ``append(lineCapacity:_:)`` copies the record into a journal in shared memory and returns: it
/// survives SIGKILL from then on. A mover in the background brings it into the database, up to
/// ``Options/eventsPerTransaction`` in a transaction. ``commit()`` waits for that, ``flushToDisk()`` for the disk.
///
/// **When the database cannot be written** (a full disk), events wait in the journal up to
/// ``Options/maximumPendingBytes``, writing is tried again every second, and what comes past that limit is
/// dropped and counted as ``DropReason/backlogFull``.
///
/// **Instances.** Any number of instances, in one process or several, may have a log open. Each appends to a journal
/// of its own, all draw their numbers from one counter, and whichever moves next moves for all. What a killed process
/// has left is moved by the next one. See <doc:EventLog> for how.
public final class SQLiteEventStore: EventStore {
    /// The file.
    public let path: String
    private let writer: JournalWriter
    private let worker: LogWorker
    private let queue: DispatchQueue
    /// How long the mover lets events come together while events come.
    private static let pause = DispatchTimeInterval.milliseconds(20)
    /// After so many pauses without an event the mover sleeps, and the next event wakes it.
    private static let pausesBeforeSleep = 25

    /// Opens a log, or makes one, and takes over what killed processes have left in its journals.
    ///
    /// - Parameters:
    ///   - path: The database file. Its folder must exist; files and folders with its name and a suffix are the
    ///     log's, too.
    ///   - options: How it is written.
    /// - Throws: ``EventLogError``: `cannotOpen`, `notAnEventLog`, `newerVersion`, `inUse` (a lock that another
    ///   program does not give back), `diskFull` (the journal's space is put aside here), `io`. A damaged log is
    ///   salvaged and put aside instead.
    public init(path: String, options: Options) throws {
        self.path = path
        queue = DispatchQueue(label: "EventLog", qos: .utility)
        do {
            worker = try LogOpening.open(path, options)
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
        writer = worker.writer
    }

    deinit {
        // On the queue: whatever was asked before runs first.
        if !writer.isForked { queue.async { [worker] in worker.abandon() } }
    }

    // MARK: Appending

    public var installID: String { writer.installID }

    /// The newest event that was appended here, or, before the first, that the log had when it was opened.
    public var newest: EventRecord? { writer.newest }

    public var durability: Durability { .survivesProcessKill }

    public func append(
        lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        let (result, wakesMover) = writer.append(lineCapacity: lineCapacity, fill)
        if wakesMover { queue.async { self.keepMoving() } }
        return result
    }

    public func recordDrop(_ reason: DropReason) {
        if writer.count(reason) { queue.async { self.keepMoving() } }
    }

    // MARK: The mover

    /// Moves what came together, pauses, and so on until nothing comes. Holds the log until then: dropping the last
    /// reference loses nothing that waits.
    private func keepMoving(idlePauses: Int = 0) {
        let mark = writer.mark
        let wasIdle = writer.ring.head.load() == writer.ring.tail.load()
        do {
            try worker.move()
        } catch let error as EventLogError where error.code == .closed {
            return
        } catch {
            // Everything is still in the journal.
            return queue.asyncAfter(deadline: .now() + .seconds(1)) { self.keepMoving() }
        }
        let idlePauses = wasIdle ? idlePauses + 1 : 0
        if idlePauses >= Self.pausesBeforeSleep && writer.letMoverSleep(after: mark) {
            worker.rest()
            return
        }
        queue.asyncAfter(deadline: .now() + Self.pause) { self.keepMoving(idlePauses: idlePauses) }
    }

    /// Runs `body` on the log's queue, when what was sent before has been moved.
    package func perform<T: Sendable>(_ body: @escaping @Sendable (LogWorker) throws -> T) async throws -> T {
        try refuseForkedChild()
        return try await withCheckedThrowingContinuation { continuation in
            queue.async { [worker] in
                continuation.resume(
                    with: Result {
                        try worker.moveAll()
                        return try body(worker)
                    })
            }
        }
    }

    /// A queue does not run in a forked child.
    private func refuseForkedChild() throws {
        guard !writer.isForked else {
            throw EventLogError(.closed, "the log \(path) is the parent process's: open it anew in this one")
        }
    }

    public func commit() async throws {
        try await perform { _ in }
    }

    public func flushToDisk() async throws {
        try await perform { worker in try worker.sync() }
    }

    public func close() async throws {
        try refuseForkedChild()
        try await withCheckedThrowingContinuation { continuation in
            queue.async { [worker] in continuation.resume(with: Result { try worker.close() }) }
        }
    }
}

// MARK: - Consumers

extension SQLiteEventStore {
    public func cursor(of consumer: String) async throws -> ConsumerCursor {
        try await perform { worker in try worker.transaction { db in try Consumers.cursor(consumer, db) } }
    }

    public func beginDelivery(to consumer: String) async throws -> ConsumerCursor? {
        try await perform { worker in
            try worker.transaction { db -> ConsumerCursor? in
                let cursor = try Consumers.cursor(consumer, db)
                return try worker.take(consumer, db) ? cursor : nil
            }
        }
    }

    public func endDelivery(to consumer: String) async throws {
        try await perform { worker in
            try worker.transaction { db in try Consumers.release(consumer, holder: worker.writer.ring.name, db) }
        }
    }

    public func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        try await perform { worker in
            try worker.reading { db in try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes) }
        }
    }

    public func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        try await perform { worker in
            try worker.transaction { db in try Consumers.acknowledge(cursor, refused: refused, db) }
        }
    }

    public func rewind(_ consumer: String, to seq: Int64) async throws {
        try await perform { worker in try worker.transaction { db in try Consumers.rewind(consumer, to: seq, db) } }
    }
}

// MARK: - The whole log

extension SQLiteEventStore {
    public func discardUndelivered() async throws {
        try await perform { worker in try worker.transaction { db in try Pruning.discardUndelivered(db) } }
    }

    public func prune(now: EventTime) async throws {
        try await perform { worker in
            try worker.transaction { db in try Pruning.apply(worker.options.retention, now: now, db) }
        }
    }

    public func statistics() async throws -> EventLogStatistics {
        try await perform { worker in try worker.reading { db in try EventRow.statistics(db) } }
    }

    public func ledger() async throws -> [LedgerEntry] {
        try await perform { worker in try worker.reading { db in try Ledger.entries(db) } }
    }

    /// Stores recorded events in one transaction, keeping ids, times and order.
    ///
    /// An id that the log has is skipped. An event of this log's own install with a number above all that the
    /// log has seen keeps its bytes; an empty log adopts the install of the first event. Any other gets the next
    /// number here, and ``RecordedEvent/relabelled`` writes its line anew.
    ///
    /// Events may be sent meanwhile, by other processes, too; they get numbers of their own.
    ///
    /// - Throws: ``EventLogError``; then nothing of the batch is stored.
    public func replay(_ events: [RecordedEvent]) async throws -> ReplayResult {
        try await perform { worker in try worker.replay(events) }
    }
}
