internal import EventLog
internal import Foundation
internal import GRDB

/// The database of ``ArrivalStatistics``. It only repeats what the store has, so one that cannot be used is replaced.
enum StatisticsDatabase {
    /// The application id in the database's header: `TRKs`.
    private static let applicationID = 0x5452_4B73
    /// Version 1 lacks the kinds of texts.
    private static let version = 2

    /// Opens or creates the database.
    ///
    /// - Parameters:
    ///   - collector: A database of another collector is replaced.
    ///   - lastReceipt: A database that has counted more is replaced: the store was restored from a backup.
    /// - Throws: `DatabaseError`, `SystemError`, `PrivateFile.Refusal`.
    static func open(_ path: String, collector: String, lastReceipt: Int64) throws -> DatabasePool {
        // An error means damage. Then the counts are lost, too: they are counted again from the store.
        if let pool = try? opened(path) {
            // The same holds for an error of this check.
            if (try? pool.write({ try migrate($0) })) != nil,
                (try? pool.read({ try isUsable($0, collector: collector, lastReceipt: lastReceipt) })) == true
            {
                return pool
            }
            try pool.close()
        }
        for file in files(path) where FileManager.default.fileExists(atPath: file) {
            try FileManager.default.removeItem(atPath: file)
        }
        let pool = try opened(path)
        try pool.write { db in
            try db.execute(sql: statements)
            try db.execute(sql: "INSERT INTO meta (receipt, collector) VALUES (0, ?)", arguments: [collector])
            try db.execute(sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(version)")
        }
        return pool
    }

    private static func files(_ path: String) -> [String] { [path, path + "-wal", path + "-shm"] }

    private static func opened(_ path: String) throws -> DatabasePool {
        var configuration = Configuration()
        configuration.label = "CollectorStatistics"
        configuration.maximumReaderCount = 4
        configuration.prepareDatabase { db in
            // Counts and the position are in one transaction, so a power failure only moves both back.
            try db.execute(sql: "PRAGMA synchronous = NORMAL")
            try db.execute(sql: "PRAGMA journal_size_limit = 33554432")
        }
        try PrivateFile.tighten(files(path))
        try PrivateFile.makeIfMissing(path)
        return try DatabasePool(path: path, configuration: configuration)
    }

    /// Adds what version 1 lacks. All names are as new as the newest count.
    private static func migrate(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID,
            try Int.fetchOne(db, sql: "PRAGMA user_version") == 1
        else { return }
        try db.execute(
            sql: """
                ALTER TABLE texts ADD COLUMN kind INTEGER NOT NULL DEFAULT 1;
                ALTER TABLE texts ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;
                UPDATE texts SET kind = 2 WHERE id IN (SELECT app FROM arrivals);
                UPDATE texts SET kind = 0 WHERE text IN ('', '\(ArrivalStatistics.otherName)');
                UPDATE texts SET seen = (SELECT coalesce(max(hour), 0) / 24 FROM arrivals);
                PRAGMA user_version = \(version)
                """)
    }

    private static func isUsable(_ db: Database, collector: String, lastReceipt: Int64) throws -> Bool {
        guard try Int.fetchOne(db, sql: "PRAGMA application_id") == applicationID,
            try Int.fetchOne(db, sql: "PRAGMA user_version") == version
        else { return false }
        guard let meta = try Row.fetchOne(db, sql: "SELECT collector, receipt FROM meta") else { return false }
        return meta[0] == collector && meta[1] <= lastReceipt
    }

    private static let statements = """
        -- One row: the receipt of the last counted batch.
        CREATE TABLE meta (receipt INTEGER NOT NULL, collector TEXT NOT NULL);

        -- Names of events, schemas, apps and rules. 'events' and 'arrivals' refer to them. 'kind' is a raw value of
        -- Texts.Kind; 'seen' is the day since 1970 on which the name arrived last.
        CREATE TABLE texts (
            id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL, seen INTEGER NOT NULL
        );

        -- When an event was received first and last, in microseconds since 1970.
        CREATE TABLE events (event INTEGER PRIMARY KEY, first_seen INTEGER NOT NULL, last_seen INTEGER NOT NULL);

        -- Received lines by hour since 1970. 'outcome' is a raw value of ArrivalOutcome; 'rule' is of rejected lines only.
        CREATE TABLE arrivals (
            hour INTEGER, event INTEGER, schema INTEGER, app INTEGER, outcome INTEGER, rule INTEGER,
            count INTEGER NOT NULL,
            PRIMARY KEY (hour, event, schema, app, outcome, rule)
        ) WITHOUT ROWID;

        -- Received lines by minute since 1970, for the last hours only.
        CREATE TABLE minutes (minute INTEGER, event INTEGER, count INTEGER NOT NULL, PRIMARY KEY (minute, event)) WITHOUT ROWID;

        CREATE TABLE installs (id INTEGER PRIMARY KEY, install TEXT NOT NULL UNIQUE, highest INTEGER NOT NULL);

        -- The numbers that an install's batches accounted for first on a day since 1970, from one version of an app.
        CREATE TABLE spans (
            install INTEGER, first INTEGER, last INTEGER NOT NULL, day INTEGER NOT NULL, app INTEGER NOT NULL,
            PRIMARY KEY (install, first)
        ) WITHOUT ROWID;
        CREATE INDEX spans_by_day ON spans (day);

        -- Batches; times in microseconds since 1970. 'first' and 'last' are the covered numbers, 'oldest' and 'newest' times of events.
        CREATE TABLE deliveries (
            receipt INTEGER PRIMARY KEY, install INTEGER NOT NULL, received INTEGER NOT NULL, sent INTEGER,
            first INTEGER, last INTEGER, oldest INTEGER, newest INTEGER, lines INTEGER NOT NULL, attempts INTEGER NOT NULL
        );
        CREATE INDEX deliveries_by_install ON deliveries (install, receipt);
        """
}
