package import EventLog
package import EventModel
internal import Foundation
internal import GRDB

/// Reads a log's database for examination: never repairs it, and leaves no files behind if the log was closed. Each
/// call sees the newest commit, and keeps its transaction short for a concurrent writer.
///
/// All methods throw ``/EventLog/EventLogError``, `corrupt` for damage.
package final class DatabaseExamination {
    private let path: String
    private let database: DatabaseQueue
    private let version: Int
    /// The state of the file if it was opened as one that no process writes; nil otherwise.
    private let stillness: Stillness?

    private struct Stillness: Equatable {
        let size: Int64
        let seconds: Int
        let nanoseconds: Int

        init?(_ path: String) {
            var status = stat()
            guard DatabaseExamination.isAtRest(path), stat(path, &status) == 0 else { return nil }
            #if canImport(Darwin)
                let time = status.st_mtimespec
            #else
                let time = status.st_mtim
            #endif
            size = Int64(status.st_size)
            seconds = Int(time.tv_sec)
            nanoseconds = Int(time.tv_nsec)
        }
    }

    /// Whether another process has opened the log since. Results may then be inconsistent.
    package var isDisturbed: Bool { stillness.map { $0 != Stillness(path) } ?? false }

    /// Opens a database.
    ///
    /// - Throws: ``/EventLog/EventLogError``: `notFound`, `cannotOpen`, `notAnEventLog`, `newerVersion`, `corrupt`, `io`.
    package init(path: String) throws {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            throw EventLogError(.notFound, "cannot open \(path): no such file; check the path")
        }
        do {
            (database, stillness) = try Self.open(path)
            try database.unsafeRead { try DatabaseSchema.prepareForReading($0, path: path) }
            version = try database.read { db in
                guard try db.tableExists("events") else {
                    throw EventLogError(.notAnEventLog, "\(path) is an empty database, not an event log")
                }
                return try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            }
        } catch {
            throw EventLogError.wrapping(error, path: path)
        }
    }

    private static func open(_ path: String) throws -> (DatabaseQueue, Stillness?) {
        var configuration = Configuration()
        configuration.readonly = true
        configuration.busyMode = .timeout(5)
        configuration.prepareDatabase { db in try DatabaseSchema.check(db, path: path) }
        // If no process has the log open, open it as immutable, so that SQLite creates no lock files.
        // https://www.sqlite.org/uri.html#uriimmutable
        if let stillness = Stillness(path), let uri = immutable(path) {
            do {
                return (try DatabaseQueue(path: uri, configuration: configuration), stillness)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
                // SQLite was built without URI filenames.
            }
        }
        return (try DatabaseQueue(path: path, configuration: configuration), nil)
    }

    private static func isAtRest(_ path: String) -> Bool {
        var status = stat()
        let hasWAL = stat(path + "-wal", &status) == 0 && status.st_size > 0
        return !hasWAL && !FileManager.default.fileExists(atPath: JournalFolder.path(of: path))
    }

    private static func immutable(_ path: String) -> String? {
        URL(fileURLWithPath: path).standardizedFileURL.path
            .addingPercentEncoding(withAllowedCharacters: .urlPathAllowed.subtracting(["?", "#"]))
            .map { "file:\($0)?immutable=1" }
    }

    /// The version of the tables, and the page statistics. Includes pages that are only in the write-ahead log,
    /// unlike ``DatabaseHeader``.
    func format() throws -> DatabaseFormat {
        let version = version
        return try reading { db in
            func number(_ pragma: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
            return DatabaseFormat(
                version: version, pageSize: try number("page_size"), freePages: try number("freelist_count"))
        }
    }

    /// Up to 20 errors that SQLite finds in the structure; empty if there are none.
    ///
    /// - Parameter thorough: Whether to compare the index of ids with the events, too, which is several times slower.
    package func structureIssues(thorough: Bool) throws -> [String] {
        try reading { db in
            let check = thorough ? "integrity_check" : "quick_check"
            return try String.fetchAll(db, sql: "PRAGMA \(check)(20)").filter { $0 != "ok" }
        }
    }

    package func installID() throws -> String? {
        try reading { db in try String.fetchOne(db, sql: "SELECT install_id FROM log") }
    }

    /// The installs of the log, oldest first.
    package func installs() throws -> [LogGeneration] {
        try reading(Generations.all)
    }

    /// The dead letters: events that consumers have refused permanently.
    package func deadLetters() throws -> ExaminedDeadLetters {
        try reading { db in
            let row = try Row.fetchOne(
                db,
                sql: """
                    SELECT (SELECT count(*) FROM dead_letters), (SELECT ifnull(sum(length(line)), 0) FROM dead_letters),
                        max(evicted_letters, 0) FROM log
                    """)
            guard let row else { return ExaminedDeadLetters(count: 0, bytes: 0, evicted: 0) }
            return ExaminedDeadLetters(
                count: try row.decode(atIndex: 0), bytes: try row.decode(atIndex: 1),
                evicted: try row.decode(atIndex: 2))
        }
    }

    /// The totals in the log's own row.
    package func totals() throws -> EventLogStatistics { try reading(EventRow.statistics) }

    /// The answers about consent, oldest first.
    package func answers() throws -> [StoredAnswer] { try reading(Answers.all) }

    /// Counts the events that are not delivered because of their users' consent, including those in the journals.
    package func heldEvents() throws -> [HeldEvents: Int64] {
        try EventLogReader(path: path, database: database).heldEvents()
    }

    /// The folders of damaged files that were removed for the quota.
    package func removedFiles() throws -> RemovedFiles {
        try reading { db in
            let row = try Row.fetchOne(db, sql: "SELECT removed_count, removed_bytes FROM log")
            return try row.map { RemovedFiles(count: try $0.decode(atIndex: 0), bytes: try $0.decode(atIndex: 1)) }
                ?? RemovedFiles()
        }
    }

    /// The ledger's counts, by reason and consumer. Reasons may be unknown to this version.
    package func ledger() throws -> [ExaminedDrops] {
        try reading { db in
            try Row.fetchAll(
                db,
                sql: """
                    SELECT reason, consumer, \(Ledger.sum) FROM ledger
                    GROUP BY reason, consumer ORDER BY reason, consumer
                    """
            ).map(ExaminedDrops.init)
        }
    }

    /// The numbers that the ledger counts as lost, for all consumers or for those that `counts` selects.
    package func lostNumbers(counting counts: (_ consumer: String) -> Bool = { _ in false }) throws -> AccountedNumbers
    {
        try reading { db in try AccountedNumbers(db, counting: counts) }
    }

    /// The numbers that a sink's files need not have: lost ones, for all consumers or for those that `counts` selects, and
    /// those of events that are held because of their users' consent.
    package func undeliveredNumbers(counting counts: (_ consumer: String) -> Bool) throws -> AccountedNumbers {
        let held = try EventLogReader(path: path, database: database).heldNumbers()
        return try reading { db in try AccountedNumbers(db, counting: counts, and: held) }
    }

    /// The state of each consumer, by name.
    package func consumers() throws -> [ExaminedConsumer] {
        try reading { db in
            try Row.fetchAll(
                db, sql: "SELECT name, acknowledged, checkpoint, holder, state FROM consumers ORDER BY name"
            ).map { try ExaminedConsumer($0, db) }
        }
    }

    /// What ``SQLiteEventStore/trim(to:includingUnsent:now:)`` would remove, excluding journals.
    package func trimming(_ retention: Retention, includingUnsent: Bool, now: EventTime) throws -> LogTrimming {
        try reading { db in
            try Trimming.plan(retention, includingUnsent: includingUnsent, now: now, db).trimming
        }
    }

    func reading<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try database.read(body)
        } catch let error as RowDecodingError {
            throw EventLogError(.corrupt, "\(path) has a value of the wrong type", underlyingError: error)
        } catch let error as DatabaseError {
            throw EventLogError.wrapping(error, path: path)
        }
    }
}

/// The version of a log's tables, and its pages.
struct DatabaseFormat {
    let version: Int
    /// The page size in bytes.
    let pageSize: Int
    let freePages: Int
}

package struct ExaminedDeadLetters: Hashable, Sendable {
    /// The number of dead letters.
    package let count: Int64
    /// The bytes of their lines.
    package let bytes: Int64
    /// The number removed at the limit.
    package let evicted: Int64
}
