internal import Dispatch
internal import Foundation
import GRDB
internal import Locking

/// The event log in an SQLite file: WAL mode, STRICT tables, one writer.
///
/// ```swift
/// let log = try SQLiteEventStore(path: "/…/events.sqlite", options: .init(installID: { UUID().uuidString }))
/// ```
///
/// **Writing.** ``append(_:)`` copies the record into memory and returns; a background writer commits what has
/// come together, up to ``Options/eventsPerTransaction`` in a transaction. What a process has not committed when
/// it is killed is lost: ``commit()`` and ``flushToDisk()`` are the barriers.
///
/// **When the file cannot be written** (a full disk), events wait in memory up to
/// ``Options/maximumPendingBytes``, writing is tried again every second, and what comes past that limit is
/// dropped and counted as ``DropReason/backlogFull``.
///
/// **Instances.** One instance writes a file at a time, in one process or several: a second gets
/// ``EventLogError/Code/inUse``. The owner is its process number and start time in the table `log`, so a killed
/// owner is taken over at once and no lock is held between operations. ``EventLogReader`` reads beside it.
public final class SQLiteEventStore: EventStore {
    /// How a log file is made and written.
    public struct Options: Sendable {
        /// Makes the identity of a new log; not called for an existing one.
        public var installID: @Sendable () -> String
        /// How much is kept.
        public var retention: Retention
        /// Bytes of lines that may wait in memory for the file. Default 16 MiB.
        public var maximumPendingBytes: Int
        /// Events in one transaction. Default 500.
        public var eventsPerTransaction: Int
        /// How long a statement waits for another program's lock. Default 5 s.
        public var busyTimeout: Duration
        /// When Apple systems let the files be used. Default ``FileProtection/untilFirstUnlock``.
        public var fileProtection = FileProtection.untilFirstUnlock
        /// Whether Apple systems leave the files out of backups. Default true: an install that is restored on a
        /// second device must not count on from the first one's numbers.
        public var isExcludedFromBackup = true

        /// Makes options; see each property.
        public init(
            installID: @escaping @Sendable () -> String, retention: Retention = .standard,
            maximumPendingBytes: Int = 16 << 20, eventsPerTransaction: Int = 500, busyTimeout: Duration = .seconds(5)
        ) {
            self.installID = installID
            self.retention = retention
            self.maximumPendingBytes = maximumPendingBytes
            self.eventsPerTransaction = eventsPerTransaction
            self.busyTimeout = busyTimeout
        }
    }

    private struct Pending {
        var installID = ""
        var lastSeq: Int64 = 0
        var newest: EventRecord?
        /// Not stored yet, oldest first. The first `inFlight` of them are in the writer's hands.
        var records: [EventRecord] = []
        var bytes = 0
        var drops: [DropReason: Int64] = [:]
        var isWriting = false
        var isClosed = false

        mutating func adopt(_ other: Pending) {
            (installID, lastSeq, newest) = (other.installID, other.lastSeq, other.newest)
        }
    }

    /// The file.
    public let path: String
    private let options: Options
    private let claim: OpenPaths.Claim
    private let database: DatabaseQueue
    private let pending: Locked<Pending>

    /// Opens a log, or makes one.
    ///
    /// - Parameters:
    ///   - path: The database file. Its folder must exist.
    ///   - options: How it is made and written.
    /// - Throws: ``EventLogError``: `cannotOpen`, `notAnEventLog`, `newerVersion`, `inUse`, `diskFull`, `corrupt`
    ///   or `io`. An existing file is left as it was.
    public init(path: String, options: Options) throws {
        self.path = path
        self.options = options
        claim = try OpenPaths.claim(path)
        do {
            database = try DatabaseQueue(path: path, configuration: Self.configuration(options, path: path))
            pending = Locked(
                try database.writeWithoutTransaction { db in
                    try DatabaseSchema.migrate(db, installID: options.installID)
                    try Self.takeOwnership(db, path: path)
                    return try Self.load(db)
                })
            try AppleFiles.apply(options, to: path)
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    private static func configuration(_ options: Options, path: String) -> Configuration {
        var configuration = Configuration()
        configuration.label = "EventLog"
        let (seconds, attoseconds) = options.busyTimeout.components
        configuration.busyMode = .timeout(Double(seconds) + Double(attoseconds) / 1e18)
        configuration.prepareDatabase { db in
            try DatabaseSchema.check(db, path: path)
            try db.execute(sql: "PRAGMA journal_mode = WAL")
            // Commits survive the process without a sync; flushToDisk() asks for the sync.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
        }
        return configuration
    }

    private static func takeOwnership(_ db: Database, path: String) throws {
        try db.inTransaction(.immediate) {
            let writer = try String.fetchOne(db, sql: "SELECT writer FROM log").flatMap { ProcessIdentity($0) }
            // An owner of our own process that is not in OpenPaths any more is gone.
            if let writer, writer != .current, writer.isAlive {
                throw EventLogError(
                    .inUse, "process \(writer.pid) is writing \(path): stop it, or use another file")
            }
            try db.execute(sql: "UPDATE log SET writer = ?", arguments: [ProcessIdentity.current.description])
            return .commit
        }
    }

    private static func load(_ db: Database) throws -> Pending {
        var pending = Pending()
        guard let row = try Row.fetchOne(db, sql: "SELECT install_id, last_seq FROM log") else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT)
        }
        pending.installID = row["install_id"]
        pending.lastSeq = row["last_seq"]
        pending.newest = try EventRow.fetch(db, "ORDER BY seq DESC LIMIT 1", []).first
        return pending
    }

    // MARK: Appending

    public var installID: String { pending.withLock { $0.installID } }

    public var newest: EventRecord? { pending.withLock { $0.newest } }

    public var durability: Durability { .buffered }

    public func append(
        lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) -> Result<Int64, EventDropped> {
        let (result, starts): (Result<Int64, EventDropped>, Bool) = pending.withLock { pending in
            guard !pending.isClosed else { return (.failure(EventDropped(.closed)), false) }
            guard pending.bytes < options.maximumPendingBytes else {
                return (.failure(EventDropped(.backlogFull)), false)
            }
            guard let record = EventRecord(seq: pending.lastSeq + 1, lineCapacity: lineCapacity, fill) else {
                return (.failure(EventDropped(nil)), false)
            }
            pending.lastSeq = record.seq
            pending.newest = record
            pending.records.append(record)
            pending.bytes += record.line.count
            defer { pending.isWriting = true }
            return (.success(record.seq), !pending.isWriting)
        }
        if starts { startWriting() }
        return result
    }

    public func recordDrop(_ reason: DropReason) {
        let starts = pending.withLock { pending in
            pending.drops[reason, default: 0] += 1
            defer { pending.isWriting = !pending.isClosed }
            return !pending.isWriting && !pending.isClosed
        }
        if starts { startWriting() }
    }

    // MARK: The background writer

    private func startWriting() {
        // Holds the log until it is done: dropping the last reference loses nothing that waits.
        database.asyncWriteWithoutTransaction { [self] db in
            do {
                try self.storePending(db)
            } catch {
                // Everything is still in memory. Try again in a second, or at the next commit().
                DispatchQueue.global().asyncAfter(deadline: .now() + 1) { [weak self] in self?.startWriting() }
            }
        }
    }

    /// Stores all that waits, in as many transactions as it takes. Runs on the database's queue only.
    private func storePending(_ db: Database) throws {
        while true {
            let (records, drops) = pending.withLock { pending in
                if pending.records.isEmpty && pending.drops.isEmpty { pending.isWriting = false }
                return (Array(pending.records.prefix(options.eventsPerTransaction)), pending.drops)
            }
            if records.isEmpty && drops.isEmpty { return }
            try db.inTransaction(.immediate) {
                try EventRow.insert(records, db)
                for (reason, count) in drops { try Ledger.add(reason, count: count, db) }
                try enforceHardCap(db)
                return .commit
            }
            pending.withLock { pending in
                pending.records.removeFirst(records.count)
                pending.bytes -= records.reduce(0) { $0 + $1.line.count }
                for (reason, count) in drops {
                    let rest = pending.drops[reason, default: 0] - count
                    pending.drops[reason] = rest > 0 ? rest : nil
                }
            }
        }
    }

    private func enforceHardCap(_ db: Database) throws {
        guard let cap = options.retention.hardMaximumBytes,
            try Int64.fetchOne(db, sql: "SELECT event_bytes FROM log") ?? 0 > cap
        else { return }
        try Pruning.apply(Retention(hardMaximumBytes: cap), now: EventTime(microseconds: 0), db)
    }

    public func commit() async throws {
        try await write { _ in }
    }

    public func flushToDisk() async throws {
        try await write { db in
            let isSynced = try Bool.fetchOne(db, sql: "SELECT synced_seq = last_seq FROM log") ?? false
            if isSynced { return }
            // In WAL mode a commit under FULL syncs the WAL, with every commit before it.
            // https://www.sqlite.org/pragma.html#pragma_synchronous
            try db.execute(sql: "PRAGMA synchronous = FULL")
            defer { try? db.execute(sql: "PRAGMA synchronous = NORMAL") }  // stays FULL: slower, not less safe
            try db.execute(sql: "UPDATE log SET synced_seq = last_seq")
        }
    }

    /// Stores what waits, then runs `body`, on the database's queue.
    private func write<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        do {
            return try await database.writeWithoutTransaction { [self] db in
                try storePending(db)
                return try body(db)
            }
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    private func transaction<T: Sendable>(_ body: @escaping @Sendable (Database) throws -> T) async throws -> T {
        try await write { db in
            var result: T?
            try db.inTransaction(.immediate) {
                result = try body(db)
                return .commit
            }
            guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
            return result
        }
    }

    // MARK: Consumers

    public func cursor(of consumer: String) async throws -> ConsumerCursor {
        try await transaction { db in
            try db.execute(
                sql: "INSERT INTO consumers (name, acknowledged) VALUES (?, 0) ON CONFLICT DO NOTHING",
                arguments: [consumer])
            let row = try Row.fetchOne(
                db, sql: "SELECT acknowledged, checkpoint FROM consumers WHERE name = ?", arguments: [consumer])
            return ConsumerCursor(
                consumer: consumer, acknowledged: row?["acknowledged"] ?? 0, checkpoint: row?["checkpoint"])
        }
    }

    public func read(after seq: Int64, maximumCount: Int, maximumBytes: Int) async throws -> [EventRecord] {
        try await write { db in try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes) }
    }

    public func acknowledge(_ cursor: ConsumerCursor, refused: ClosedRange<Int64>?) async throws {
        try await transaction { db in
            try db.execute(
                sql: """
                    INSERT INTO consumers (name, acknowledged, checkpoint) VALUES (?, ?, ?)
                    ON CONFLICT (name) DO UPDATE SET
                        acknowledged = max(acknowledged, excluded.acknowledged), checkpoint = excluded.checkpoint
                    """,
                arguments: [cursor.consumer, cursor.acknowledged, cursor.checkpoint])
            if let refused {
                try Ledger.addStored(.refused, consumer: cursor.consumer, seqs: refused, db)
            }
        }
    }

    public func rewind(_ consumer: String, to seq: Int64) async throws {
        try await transaction { db in
            try db.execute(
                sql: "UPDATE consumers SET acknowledged = min(acknowledged, ?), checkpoint = NULL WHERE name = ?",
                arguments: [seq, consumer])
        }
    }

    public func discardUndelivered() async throws {
        try await transaction { db in
            let delivered = try Pruning.delivered(db) ?? 0
            let last = try Int64.fetchOne(db, sql: "SELECT last_seq FROM log") ?? 0
            guard delivered < last else { return }
            try Ledger.addStored(.optedOut, consumer: "", seqs: delivered + 1...last, db)
            try EventRow.delete(delivered + 1...last, db)
            try db.execute(sql: "UPDATE consumers SET acknowledged = ?", arguments: [last])
        }
    }

    public func prune(now: EventTime) async throws {
        let retention = options.retention
        try await transaction { db in try Pruning.apply(retention, now: now, db) }
    }

    public func statistics() async throws -> EventLogStatistics {
        try await write { db in try EventRow.statistics(db) }
    }

    public func ledger() async throws -> [LedgerEntry] {
        try await write { db in try Ledger.entries(db) }
    }

    public func close() async throws {
        pending.withLock { $0.isClosed = true }
        do {
            try await write { db in
                try db.execute(
                    sql: "UPDATE log SET writer = NULL WHERE writer = ?",
                    arguments: [ProcessIdentity.current.description])
                // Leaves everything in the one file that people copy. A reader may keep it from finishing; then the
                // -wal file stays, complete.
                _ = try? db.checkpoint(.truncate)
            }
            try database.close()
        } catch let error as EventLogError where error.code == .closed {
            return  // closed before; another instance may have the path by now
        }
        claim.release()
    }

    // MARK: Replay

    /// Stores recorded events in one transaction, keeping ids, times and order.
    ///
    /// An id that the log has is skipped. An event of this log's own install with a number above all that the
    /// log has seen keeps its bytes; an empty log adopts the install of the first event. Any other gets the next
    /// number here, and ``RecordedEvent/relabelled`` writes its line anew.
    ///
    /// Events may be sent meanwhile; they get numbers of their own.
    ///
    /// - Throws: ``EventLogError``; then nothing of the batch is stored.
    public func replay(_ events: [RecordedEvent]) async throws -> ReplayResult {
        while true {
            let result: ReplayResult? = try await write { [self] db in
                var result: ReplayResult?
                let before = pending.withLock { $0 }
                do {
                    try db.inTransaction(.immediate) {
                        let stored = try Replay.store(events, db)
                        guard adopt(try Self.load(db)) else { return .rollback }
                        result = stored
                        return .commit
                    }
                } catch {
                    pending.withLock { if $0.records.isEmpty { $0.adopt(before) } }
                    throw error
                }
                return result
            }
            // Without one, an event that was sent meanwhile had drawn a number that the replay gave out too.
            if let result { return result }
        }
    }

    /// Takes over what a replay is about to commit, unless an event was appended since it began.
    private func adopt(_ loaded: Pending) -> Bool {
        pending.withLock { pending in
            guard pending.records.isEmpty else { return false }
            pending.adopt(loaded)
            return true
        }
    }
}
