public import EventModel
internal import Foundation
package import GRDB

/// Reads a log without changing it, also while other processes write to it. Reads the database first, then the events
/// that are still in the journals, including those of killed processes.
///
/// Reads in batches, each in a short transaction. A slow reader therefore needs little memory, and does not make the
/// write-ahead log grow. Safe to use from any thread.
public final class EventLogReader: Sendable {
    /// The span of numbers that one transaction covers while visiting events.
    private static let eventsPerTransaction: Int64 = 20_000

    private let path: String
    private let database: DatabaseQueue
    private let clock: LockClock

    /// Opens an existing log.
    ///
    /// - Throws: ``EventLogError``: `notFound`, `cannotOpen`, `notAnEventLog`, `newerVersion`, `corrupt`, `io`.
    public init(path: String) throws {
        self.path = path
        clock = .system
        database = try Self.open(path)
    }

    /// Reads with an open connection.
    package init(path: String, database: DatabaseQueue) {
        self.path = path
        self.database = database
        clock = .system
    }

    /// The same, with a clock for waits.
    init(path: String, clock: LockClock) throws {
        self.path = path
        self.clock = clock
        database = try Self.open(path)
    }

    private static func open(_ path: String) throws -> DatabaseQueue {
        guard FileManager.default.fileExists(atPath: path) else {
            throw EventLogError(.notFound, "cannot open \(path): no such file; check the path")
        }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in try DatabaseSchema.check(db, path: path) }
        do {
            let database = try DatabaseQueue(path: path, configuration: configuration)
            try database.read { db in
                guard try db.tableExists("events") else {
                    throw EventLogError(
                        .notAnEventLog, "cannot read \(path): an empty database, not an event log; check the path")
                }
            }
            try database.unsafeRead { try DatabaseSchema.prepareForReading($0, path: path) }
            return database
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    /// Whether a file is a database without tables, like a log before its schema is committed. False if the file cannot
    /// be read or is not a database.
    package static func isEmptyDatabase(path: String) -> Bool {
        guard FileManager.default.fileExists(atPath: path) else { return false }
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        // The reason is lost: opening the log reports it.
        let tables = try? DatabaseQueue(path: path, configuration: configuration).read { db in
            try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema")
        }
        return tables == 0
    }

    /// Reads the events after a number, oldest first. Returns at least one event unless there are none.
    ///
    /// - Throws: ``EventLogError``: `corrupt`, `io`, or `inUse` if a writer keeps its journal locked.
    public func read(after seq: Int64, maximumCount: Int = 1000, maximumBytes: Int = 1 << 20) throws -> [EventRecord] {
        try reading { db in
            let rows = try EventRow.batch(db, after: seq, count: maximumCount, bytes: maximumBytes)
            if !rows.isEmpty { return rows }
            return try withJournals(db) { journals, last in
                // Events that were moved while the journals were being opened are in the database by now.
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

    /// Calls `body` with every event after a number, oldest first, until it returns false. Copies no events.
    ///
    /// - Parameters:
    ///   - seq: The last number that you have already seen; 0 for all events.
    ///   - withStamps: Whether `body` needs times and names. Pass false for faster reading.
    /// - Throws: ``EventLogError``, as ``read(after:maximumCount:maximumBytes:)``, and errors from `body`.
    public func forEach(after seq: Int64 = 0, withStamps: Bool = true, _ body: (BorrowedEvent) throws -> Bool) throws {
        try forEach(after: seq, matching: EventRowFilter(), withStamps: withStamps, body)
    }

    /// Calls `body` with every event that matches a filter.
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

    /// Counts the events of the log, including its journals.
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

    /// The counts of lost events, by reason and consumer. Does not include counts that are still in a journal.
    public func ledger() throws -> [LedgerEntry] { try reading(Ledger.entries) }

    /// The ledger in full, with one entry for each range of numbers.
    public func ledgerRanges() throws -> [LedgerEntry] { try reading(Ledger.ranges) }

    /// The identity of the install that the events belong to.
    public func installID() throws -> String {
        try reading { db in
            guard let id = try String.fetchOne(db, sql: "SELECT install_id FROM log") else {
                throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table log is empty")
            }
            return id
        }
    }

    /// Every install of the log, oldest first, with its secret, so that its events can be delivered.
    package func generations() throws -> [LogGeneration] { try reading(Generations.all) }

    /// A consumer's progress. Read it before the events: everything that it lists as delivered was delivered by then.
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

    /// Calls `body` with a consumer's copies in order: the events that it gets under a later install.
    ///
    /// - Throws: ``EventLogError``, and errors from `body`.
    package func forEachCopy(of consumer: String, _ body: (EventRecord) throws -> Void) throws {
        var last: Int64 = 0
        while true {
            let copies = try reading { db in try Copies.records(of: consumer, after: last, limit: 500, db) }
            guard let end = copies.last else { return }
            for copy in copies { try body(copy) }
            last = end.seq
        }
    }

    /// The log's identity; nil if there is none, or no process has opened the log since it was last closed.
    ///
    /// - Throws: ``EventLogError``, as ``read(after:maximumCount:maximumBytes:)``.
    public func identity() throws -> LogIdentity? {
        try reading { db in try withJournals(db) { journals, _ in journals.control.identities.newest } ?? nil }
    }

    /// What the log knows about people's consent, by ``key(of:for:)``. Includes records that are only in the control file.
    ///
    /// - Throws: ``EventLogError``, as ``read(after:maximumCount:maximumBytes:)``.
    package func consents() throws -> [String: ConsentRecord] {
        try reading { db in
            let mirrored = try withJournals(db) { journals, _ in journals.control.consents.records() } ?? [:]
            return try Dictionary(
                uniqueKeysWithValues: Consents.all(db).merging(mirrored) { ConsentRecord.newer($0, $1) ?? $1 }
                    .map { (Consents.digits($0), $1) })
        }
    }

    /// What the log's records of consent mean for its events, as of now. Includes records that are only in the control
    /// file.
    ///
    /// - Throws: ``EventLogError``, as ``read(after:maximumCount:maximumBytes:)``.
    package func storedConsent() throws -> StoredConsent {
        try reading { db in
            func load(_ mirror: ConsentMirror?) throws -> StoredConsent {
                var table = ConsentTable()
                try Consents.load(into: &table, db)
                table.merge(mirror?.records() ?? [:])
                table.link(mirror?.links ?? [:])
                return StoredConsent(ConsentRules(table), undelivered: try Consumers.undelivered(db))
            }
            return try withJournals(db) { journals, _ in try load(journals.control.consents) } ?? load(nil)
        }
    }

    /// Counts the events that are not delivered because of their users' consent, including those in the journals.
    ///
    /// - Throws: ``EventLogError``, as ``read(after:maximumCount:maximumBytes:)``.
    package func heldEvents() throws -> [HeldEvents: Int64] {
        let consent = try storedConsent()
        var counts: [HeldEvents: Int64] = [:]
        guard let first = consent.firstUndelivered else { return counts }
        try forEach(after: first - 1, withStamps: false) { event in
            if let held = consent.held(event) { counts[held, default: 0] += 1 }
            return true
        }
        return counts
    }

    /// The numbers of the events that may not be delivered because of their users' consent, whether a consumer has
    /// received them before or not.
    ///
    /// - Throws: ``EventLogError``, as ``read(after:maximumCount:maximumBytes:)``.
    package func heldNumbers() throws -> [ClosedRange<Int64>] {
        let consent = try storedConsent()
        var held: [ClosedRange<Int64>] = []
        guard !consent.isUnrestricted else { return held }
        try forEach(withStamps: false) { event in
            guard consent.holdReason(of: event.line, for: event.purpose) != nil else { return true }
            if let last = held.last, last.upperBound == event.seq - 1 {
                held[held.count - 1] = last.lowerBound...event.seq
            } else {
                held.append(event.seq...event.seq)
            }
            return true
        }
        return held
    }

    /// The key of a person in ``consents()`` and ``answers()``: 16 hexadecimal digits.
    ///
    /// - Parameter purpose: nil for the record of all purposes that have none of their own.
    package static func key(of person: String, for purpose: Purpose? = nil) -> String {
        Consents.digits(ConsentSubject(person, for: purpose).key)
    }

    /// The people's answers, oldest first.
    ///
    /// - Throws: ``EventLogError``.
    package func answers() throws -> [StoredAnswer] { try reading(Answers.all) }

    /// Events that consumers have permanently refused, oldest first.
    ///
    /// - Parameters:
    ///   - number: The number of the last dead letter that you have already seen; 0 for all.
    ///   - maximumCount: The maximum number of dead letters to return.
    /// - Throws: ``EventLogError``.
    public func deadLetters(after number: Int64 = 0, maximumCount: Int = 1000) throws -> [DeadLetter] {
        try reading { db in try DeadLetters.fetch(after: number, limit: maximumCount, db) }
    }

    /// Every consumer's cursor, by name.
    public func cursors() throws -> [ConsumerCursor] {
        try reading(Consumers.cursors)
    }

    /// Opens the journals, if there are any, and blocks their movers during `body`. No transaction is open during
    /// `body`, so the database shows everything that has been moved.
    private func withJournals<T>(_ db: Database, _ body: (JournalSnapshot, Int64) throws -> T) throws -> T? {
        try JournalSnapshot.withLock(JournalFolder.path(of: path), clock: clock) { journals in
            try body(journals, try Int64.fetchOne(db, sql: "SELECT last_seq FROM log") ?? 0)
        }
    }

    /// Runs `body` outside a transaction: each statement sees the newest commit.
    private func reading<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try database.unsafeRead(body)
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }
}
