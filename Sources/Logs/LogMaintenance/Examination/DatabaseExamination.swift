package import EventLog
package import EventModel
internal import Foundation
internal import GRDB

/// A log's database for somebody who examines it: read as it stands, never repaired, and without a trace if the log was
/// closed. Beside a writer each call sees the newest commit, and none keeps a transaction open for long.
///
/// All methods throw ``/EventLog/EventLogError``, `corrupt` if they come upon damage.
package final class DatabaseExamination {
    private let path: String
    private let database: DatabaseQueue
    private let version: Int
    /// How the file stood when it was opened as one that nobody writes; nil if it was not.
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
            (size, seconds, nanoseconds) = (Int64(status.st_size), Int(time.tv_sec), Int(time.tv_nsec))
        }
    }

    /// Whether somebody has opened the log since, although nobody had it open: what was read may not fit together.
    package var isDisturbed: Bool { stillness.map { $0 != Stillness(path) } ?? false }

    /// Opens a database.
    ///
    /// - Throws: ``/EventLog/EventLogError``: `notFound`, `cannotOpen`, `notAnEventLog`, `newerVersion`, `corrupt`, `io`.
    package init(path: String) throws {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            throw EventLogError(.notFound, "there is no file \(path): check the path")
        }
        do {
            (database, stillness) = try Self.open(path)
            version = try database.read { db in
                guard try db.tableExists("events") else {
                    throw EventLogError(.notAnEventLog, "\(path) holds no events: it is an empty database")
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
        // Nobody has it open and nothing waits beside it: read that way, SQLite makes no files for its locks.
        // https://www.sqlite.org/uri.html#uriimmutable
        if let stillness = Stillness(path), let uri = immutable(path) {
            do {
                return (try DatabaseQueue(path: uri, configuration: configuration), stillness)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_CANTOPEN {
                // An SQLite that was built to take no URI for a path.
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

    // MARK: The whole

    /// The version of the tables and how the pages are used. Pages that only the write-ahead log holds count; a
    /// ``DatabaseHeader`` doesn't know of them.
    func format() throws -> DatabaseFormat {
        let version = version
        return try reading { db in
            func number(_ pragma: String) throws -> Int { try Int.fetchOne(db, sql: "PRAGMA \(pragma)") ?? 0 }
            // 2: incremental. https://www.sqlite.org/pragma.html#pragma_auto_vacuum
            return DatabaseFormat(
                version: version, pageSize: try number("page_size"), freePages: try number("freelist_count"),
                shrinks: try number("auto_vacuum") == 2)
        }
    }

    /// What SQLite finds wrong with its own structure, at most 20 things; nothing if all is well.
    ///
    /// - Parameter thorough: Whether the index of ids is compared with the events, too: several times slower.
    package func structureIssues(thorough: Bool) throws -> [String] {
        try reading { db in
            let check = thorough ? "integrity_check" : "quick_check"
            return try String.fetchAll(db, sql: "PRAGMA \(check)(20)").filter { $0 != "ok" }
        }
    }

    /// The log's identity.
    package func installID() throws -> String? {
        try reading { db in try String.fetchOne(db, sql: "SELECT install_id FROM log") }
    }

    /// Every install of the log, the first one first.
    package func installs() throws -> [LogGeneration] {
        guard version >= 4 else { return [LogGeneration(installID: try installID() ?? "", secret: "")] }
        return try reading(Generations.all)
    }

    /// What is kept of events that consumers have refused for good.
    package func deadLetters() throws -> ExaminedDeadLetters {
        guard version >= 4 else { return ExaminedDeadLetters(count: 0, bytes: 0, evicted: 0) }
        return try reading { db in
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

    /// Shows the lines that are in no row of `events`: dead letters, and copies for one consumer.
    package func forEachLineApart(_ body: (UnsafeRawBufferPointer) -> Void) throws {
        guard version >= 4 else { return }
        try reading { db in
            let rows = try Row.fetchCursor(db, sql: "SELECT line FROM dead_letters UNION ALL SELECT line FROM copies")
            while let row = try rows.next() { try row.withUnsafeData(atIndex: 0) { $0?.withUnsafeBytes(body) } }
        }
    }

    /// What the row of the log itself counts.
    package func totals() throws -> EventLogStatistics { try reading(EventRow.statistics) }

    /// How many folders of damaged files have gone for the quota.
    package func removedFiles() throws -> RemovedFiles {
        guard version >= 3 else { return RemovedFiles() }
        return try reading { db in
            let row = try Row.fetchOne(db, sql: "SELECT removed_count, removed_bytes FROM log")
            return try row.map { RemovedFiles(count: try $0.decode(atIndex: 0), bytes: try $0.decode(atIndex: 1)) }
                ?? RemovedFiles()
        }
    }

    /// What the ledger counts, by reason and consumer; a reason may be one that this version does not know.
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

    /// The numbers that the ledger says are lost, for everybody or for a consumer that `counts` picks.
    package func lostNumbers(counting counts: (_ consumer: String) -> Bool = { _ in false }) throws -> AccountedNumbers
    {
        try reading { db in try AccountedNumbers(db, counting: counts) }
    }

    /// How far each consumer is, by name.
    package func consumers() throws -> [ExaminedConsumer] {
        try reading { db in
            let (holder, state) = (version < 2 ? "NULL" : "holder", version < 3 ? "NULL" : "state")
            return try Row.fetchAll(
                db, sql: "SELECT name, acknowledged, checkpoint, \(holder), \(state) FROM consumers ORDER BY name"
            ).map { try ExaminedConsumer($0, hasKept: version >= 3, db) }
        }
    }

    /// What ``SQLiteEventStore/trim(to:includingUnsent:now:)`` would remove, journals left out.
    package func trimming(_ retention: Retention, includingUnsent: Bool, now: EventTime) throws -> LogTrimming {
        try reading { db in
            try Trimming.plan(retention, includingUnsent: includingUnsent, now: now, db).trimming
        }
    }

    func reading<T>(_ body: (Database) throws -> T) throws -> T {
        do {
            return try database.read(body)
        } catch let error as RowDecodingError {
            throw EventLogError(.corrupt, "\(path) holds a value of another type", underlyingError: error)
        } catch let error as DatabaseError {
            throw EventLogError.wrapping(error, path: path)
        }
    }
}

/// The version of a log's tables, and its pages.
struct DatabaseFormat {
    /// The version of the log's tables.
    let version: Int
    /// Bytes of a page.
    let pageSize: Int
    /// Pages that hold nothing.
    let freePages: Int
    /// Whether free pages can be given back a few at a time.
    let shrinks: Bool
}

/// What a log keeps of events that consumers have refused for good.
package struct ExaminedDeadLetters: Hashable, Sendable {
    /// How many.
    package let count: Int64
    /// The bytes of their lines.
    package let bytes: Int64
    /// How many have gone for the limit.
    package let evicted: Int64
}
