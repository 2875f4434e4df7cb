public import EventModel
internal import Foundation
import GRDB

/// Reads a log beside whoever writes it, without changing it: the database first, then what still lies in the
/// journals, of killed processes, too.
///
/// Events are read in batches, each in a short transaction of its own, so a slow reader neither holds much in
/// memory nor keeps the write-ahead log from being recycled. Safe from any thread.
public final class EventLogReader: Sendable {
    /// After so many numbers a visit lets its transaction go and starts another.
    private static let eventsPerTransaction: Int64 = 20_000

    private let path: String
    private let database: DatabaseQueue

    /// Opens an existing log.
    ///
    /// - Throws: ``EventLogError``: `notFound`, `cannotOpen`, `notAnEventLog`, `newerVersion`, `corrupt`, `io`.
    public init(path: String) throws {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            throw EventLogError(.notFound, "there is no file \(path): check the path")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in try DatabaseSchema.check(db, path: path) }
        do {
            database = try DatabaseQueue(path: path, configuration: configuration)
            try database.read { db in
                guard try db.tableExists("events") else {
                    throw EventLogError(.notAnEventLog, "\(path) holds no events: it is an empty database")
                }
            }
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// Whether a file is a database without tables, as a log is before its schema is committed; false if the file cannot be
    /// read, or is no database.
    package static func isEmptyDatabase(path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        let tables = try? DatabaseQueue(path: path, configuration: configuration).read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        }
        return tables == 0
    }

    /// The events after a number, oldest first; at least one if there is any.
    ///
    /// - Throws: ``EventLogError``: `corrupt`, `io`, `inUse` if a writer keeps its journal locked.
    public func read(after seq: Int64, maximumCount: Int = 1000, maximumBytes: Int = 1 << 20) throws -> [EventRecord] {
        try reading { db in
            let rows = try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes)
            if !rows.isEmpty { return rows }
            return try withJournals(db) { journals, last in
                // What was moved while the journals were being opened is in the database by now.
                let rows = try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes)
                if !rows.isEmpty { return rows }
                var size = 0
                var records: [EventRecord] = []
                journals.visit(after: max(seq, last)) { record in
                    guard let event = record.event else { return true }
                    size += event.line.count + 1
                    guard records.isEmpty || size <= maximumBytes, records.count < maximumCount else { return false }
                    records.append(event)
                    return true
                }
                return records
            } ?? []
        }
    }

    /// Shows every event after a number to `body`, oldest first, until that answers false. Copies nothing.
    ///
    /// - Parameters:
    ///   - seq: The last one already seen; 0 from the start.
    ///   - withStamps: Whether `body` wants times and names; leaving them out is faster.
    /// - Throws: ``EventLogError``, as ``read(after:maximumCount:maximumBytes:)``, and what `body` throws.
    public func forEach(after seq: Int64 = 0, withStamps: Bool = true, _ body: (BorrowedEvent) throws -> Bool) throws {
        try forEach(after: seq, matching: EventRowFilter(), withStamps: withStamps, body)
    }

    /// Shows the events that a filter lets through.
    ///
    /// - Throws: As ``forEach(after:withStamps:_:)``.
    package func forEach(
        after seq: Int64 = 0, matching filter: EventRowFilter, withStamps: Bool = true,
        _ body: (BorrowedEvent) throws -> Bool
    ) throws {
        var last = seq
        while true {
            let visit = try reading { db in
                try EventRow.visit(
                    db, after: last, span: Self.eventsPerTransaction, filter: filter, withStamps: withStamps, body)
            }
            if visit.isStopped { return }
            guard let seen = visit.last else { break }
            last = seen
        }
        while true {
            let batch = try read(after: last)
            guard let end = batch.last else { return }
            for record in batch { guard try record.borrowed(body) else { return } }
            last = end.seq
        }
    }

    /// What is in the log, journals included.
    public func statistics() throws -> EventLogStatistics {
        try reading { db in
            let pending = try withJournals(db) { journals, last in
                var statistics = EventLogStatistics()
                journals.visit(after: last) { record in
                    statistics.count += 1
                    statistics.bytes += Int64(record.line.count)
                    statistics.firstSeq = statistics.firstSeq ?? record.seq
                    statistics.lastSeq = record.seq
                    return true
                }
                return statistics
            }
            var statistics = try EventRow.statistics(db)
            guard let pending, pending.lastSeq > statistics.lastSeq else { return statistics }
            statistics.count += pending.count
            statistics.bytes += pending.bytes
            statistics.firstSeq = statistics.firstSeq ?? pending.firstSeq
            statistics.lastSeq = pending.lastSeq
            return statistics
        }
    }

    /// What was lost on purpose, by reason and consumer. What journals have counted is added when it is moved.
    public func ledger() throws -> [LedgerEntry] { try reading(Ledger.entries) }

    /// The ledger in full: each range of numbers by itself.
    public func ledgerRanges() throws -> [LedgerEntry] { try reading(Ledger.ranges) }

    /// The identity of the install whose events these are.
    ///
    /// - Throws: ``EventLogError``.
    public func installID() throws -> String {
        try reading { db in
            guard let id = try String.fetchOne(db, sql: "SELECT install_id FROM log") else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the row of the log itself is missing")
            }
            return id
        }
    }

    /// Every install of the log, the first one first, with its secret: for delivering what is in it. A log of a former format
    /// has no secret.
    ///
    /// - Throws: ``EventLogError``.
    package func generations() throws -> [LogGeneration] {
        try reading { db in
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 >= 4 else {
                let install = try String.fetchOne(db, sql: "SELECT install_id FROM log") ?? ""
                return [LogGeneration(installID: install, secret: "")]
            }
            return try Generations.all(db)
        }
    }

    /// How far a consumer is. Read it before the events: whatever it has had by now was delivered by then.
    ///
    /// - Throws: ``EventLogError``.
    package func account(of consumer: String) throws -> ConsumerAccount {
        let pending = try statistics().lastSeq
        let generations = try generations()
        return try reading { db in
            var account: ConsumerAccount?
            try db.inTransaction(.deferred) {
                account = try Consumers.account(of: consumer, pending: pending, generations, db)
                return .commit
            }
            guard let account else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a consumer's row cannot be read")
            }
            return account
        }
    }

    /// Shows a consumer's copies, the events that it gets under a later install, in order.
    ///
    /// - Throws: ``EventLogError``, and what `body` throws.
    package func forEachCopy(of consumer: String, _ body: (EventRecord) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let copies = try reading { db in
                guard try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 >= 4 else { return [EventRecord]() }
                return try Copies.records(of: consumer, after: last, limit: 500, db)
            }
            guard let end = copies.last else { return }
            for copy in copies { try body(copy) }
            last = end.seq
        }
    }

    /// The events that consumers have refused for good, the oldest first.
    ///
    /// - Parameters:
    ///   - number: The last one already seen; 0 from the start.
    ///   - maximumCount: At most so many.
    /// - Throws: ``EventLogError``.
    public func deadLetters(after number: Int64 = 0, maximumCount: Int = 1000) throws -> [DeadLetter] {
        try reading { db in
            guard try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 >= 4 else { return [] }
            return try DeadLetters.fetch(after: number, limit: maximumCount, db)
        }
    }

    /// Every consumer's cursor, by name.
    public func cursors() throws -> [ConsumerCursor] {
        try reading(Consumers.cursors)
    }

    /// Opens the journals, if there are any, and keeps their movers out meanwhile. No transaction is open then: the
    /// database shows what was moved before.
    private func withJournals<T>(_ db: Database, _ body: (JournalSnapshot, Int64) throws -> T) throws -> T? {
        try JournalSnapshot.withLock(JournalFolder.path(of: path)) { journals in
            try body(journals, try Int64.fetchOne(db, sql: "SELECT last_seq FROM log") ?? 0)
        }
    }

    /// Runs `body` without a transaction around it: each statement sees the newest commit.
    private func reading<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try database.unsafeRead(body)
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }
}
