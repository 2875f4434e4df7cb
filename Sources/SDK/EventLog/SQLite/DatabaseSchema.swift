internal import EventModel
package import GRDB
import GRDBSQLite

/// The tables of an event log. SQLite's `user_version` has the version. A published version never changes; add a new
/// version instead, and migrate logs of this one.
///
/// | table | a row is |
/// |---|---|
/// | `events` | an event with its exact line, and its purpose unless that is analytics |
/// | `consumers` | a consumer's cursor, checkpoint and delivery state |
/// | `ledger` | a range of lost numbers with the reason; or, under the number 0, lost events without a number |
/// | `log` | the state of the log (a single row): identity, highest number, totals, the names of the purposes |
/// | `journal_drops` | how many drops of a journal's header are already in the ledger |
/// | `consents` | a person's consent for a purpose, or for all: granted, denied, or unknown; with the number of the change, whether it is an answer, and the user whom an anonymous person turned out to be |
/// | `answers` | an answer of a person, with its purposes, the policy and the version of the app; a row is never removed |
/// | `discards` | a person, or a person and a purpose, whose events up to a number are discarded when they are moved, with the reason |
/// | `kept` | numbers below a consumer's cursor that it has not received: held for consent, or to be retried |
/// | `generations` | a former install of the log, with its secret; the newest install is in `log` |
/// | `copies` | an event's line under a later install, for the consumer whose server knew its number with other bytes |
/// | `dead_letters` | the exact line of an event that a consumer has permanently refused |
///
/// The view `event_lines` shows events as text, for use with the `sqlite3` shell.
package enum DatabaseSchema {
    /// "trkl": identifies an event log in SQLite's `application_id`.
    package static let applicationID: Int32 = 0x7472_6B6C
    package static let version = 6
    /// The version that this one migrates when it opens a log.
    private static let formerVersion = 5

    /// Whether a log was not migrated yet, because no process with this version has opened it for writing.
    static func isFormer(_ db: Database) throws -> Bool {
        try Int.fetchOne(db, sql: "PRAGMA user_version") == formerVersion
    }

    /// Changes a log of version 5 to this version, in one transaction.
    ///
    /// - Throws: `DatabaseError`: `SQLITE_CORRUPT` if a table is missing.
    static func migrate(_ db: Database) throws {
        guard try isFormer(db) else { return }
        do {
            try db.inTransaction(.immediate) {
                for (table, column) in additions {
                    try db.execute(sql: "ALTER TABLE \(table) ADD COLUMN \(column) TEXT")
                }
                // An event of the only purpose that there was may have been sent after a later agreement.
                for removal in try Discards.all(db) {
                    let key = ConsentMirror.key(removal.key, for: .analytics)
                    try Discards.mark(Discards.Removal(at: key, because: removal.reason, through: removal.end), db)
                }
                try db.execute(sql: "PRAGMA user_version = \(version)")
                return .commit
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.message)
        }
    }

    /// The columns that version 5 does not have.
    private static let additions = [
        ("events", "purpose"), ("copies", "purpose"), ("dead_letters", "purpose"), ("log", "purposes"),
        ("answers", "purposes"),
    ]

    /// The longest value that is read from a log of unknown origin: a text of 16 MiB, as in a file of lines.
    private static let longestValue: Int32 = 16 << 20

    /// Lets a connection read a log of version 5 like one of this version.
    ///
    /// Rejects a file whose rows SQLite computes, because a small one could produce any number of bytes.
    package static func prepareForReading(_ db: Database, path: String) throws {
        sqlite3_limit(db.sqliteConnection, SQLITE_LIMIT_LENGTH, longestValue)
        let computed = try String.fetchOne(
            db,
            sql: """
                SELECT t.name FROM main.sqlite_schema t
                WHERE t.type = 'view' AND t.name != 'event_lines' OR t.sql LIKE 'CREATE VIRTUAL%' OR t.type = 'table'
                    AND EXISTS (SELECT 1 FROM pragma_table_xinfo(t.name) c WHERE c.hidden > 0)
                """)
        if let computed {
            throw EventLogError(
                .notAnEventLog,
                "cannot read \(path): SQLite computes '\(computed)', but an event log has only stored rows; check its origin"
            )
        }
        guard try isFormer(db) else { return }
        for (table, column) in additions {
            try db.execute(sql: "CREATE TEMP VIEW \(table) AS SELECT *, NULL AS \(column) FROM main.\(table)")
        }
    }

    /// Throws if a file belongs to another program, or to a newer or an unreleased version, before anything is written
    /// to it.
    package static func check(_ db: Database, path: String) throws {
        var version = 0
        var application = Int32(0)
        var isEmpty = true
        // In one transaction: otherwise another process could create the log in between.
        try db.inTransaction(.deferred) {
            // First, so that the transaction sees one state from here on.
            isEmpty = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_schema") == 0
            version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
            application = try Int32.fetchOne(db, sql: "PRAGMA application_id") ?? 0
            return .commit
        }
        guard application == applicationID || (application == 0 && isEmpty) else {
            throw EventLogError(
                .notAnEventLog,
                "cannot open \(path): another program's database, not an event log; choose another file")
        }
        guard version == 0 || version >= formerVersion else {
            throw EventLogError(
                .notAnEventLog,
                "cannot open \(path): written by an unreleased version (format \(version)); choose another file")
        }
        guard version <= Self.version else {
            throw EventLogError(
                .newerVersion,
                """
                cannot open \(path): written by a newer version (format \(version), this one supports \
                \(Self.version)); update this program; the file was not changed
                """)
        }
    }

    /// Reads every table, to detect damage to their root pages. Accepts an empty file.
    ///
    /// - Throws: `DatabaseError`: `SQLITE_CORRUPT`, also for a file of the current version without its tables.
    static func probe(_ db: Database) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") == version else { return }
        do {
            for query in [
                "SELECT install_id, commits, removed_count, secret, base, purposes FROM log",
                "SELECT name FROM consumers LIMIT 1",
                "SELECT reason FROM ledger LIMIT 1",
                "SELECT journal FROM journal_drops LIMIT 1", "SELECT person FROM consents LIMIT 1",
                "SELECT reason FROM discards LIMIT 1", "SELECT purposes FROM answers LIMIT 1",
                "SELECT state, kept_from FROM consumers LIMIT 1",
                "SELECT first_seq FROM kept LIMIT 1", "SELECT change FROM ledger ORDER BY change DESC LIMIT 1",
                "SELECT base FROM generations LIMIT 1", "SELECT line, purpose FROM copies ORDER BY seq DESC LIMIT 1",
                "SELECT line, purpose FROM dead_letters ORDER BY number DESC LIMIT 1",
                "SELECT line, purpose FROM events ORDER BY seq DESC LIMIT 1",
            ] { _ = try Row.fetchOne(db, sql: query) }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_ERROR {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: error.message)
        }
        guard try Int.fetchOne(db, sql: "SELECT count(*) FROM log") == 1 else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the table log is empty")
        }
    }

    /// The statements that create a log in an empty file, for programs that fill a log without the SDK, such as
    /// benchmarks.
    static func statements(installID: String) -> String {
        """
        PRAGMA auto_vacuum = INCREMENTAL; PRAGMA application_id = \(applicationID); \(tables)
        INSERT INTO log (install_id, secret) VALUES ('\(installID)', '\(InstallSecret.make())');
        PRAGMA user_version = \(version);
        """
    }

    /// Creates the tables of a checked file without tables, in one transaction. Changes no other file.
    ///
    /// - Parameters:
    ///   - secret: The secret of the install; if nil, a secret is generated.
    ///   - installID: Generates the identity of the log.
    package static func createIfEmpty(_ db: Database, secret: String? = nil, installID: () -> String) throws {
        guard try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0 == 0 else { return }
        try db.inTransaction(.immediate) {
            try db.execute(literal: "PRAGMA application_id = \(sql: String(applicationID))")
            try db.execute(sql: tables)
            try db.execute(
                sql: "INSERT INTO log (install_id, secret) VALUES (?, ?)",
                arguments: [
                    installID(), secret.flatMap { InstallSecret.isValid($0) ? $0 : nil } ?? InstallSecret.make(),
                ])
            try db.execute(sql: "PRAGMA user_version = \(version)")
            return .commit
        }
    }

    /// SQLite stores the statements verbatim on the first page, and all of them must fit on it, because salvaging can
    /// rebuild that page. It then expects the root pages of existing logs: those of `log` and `journal_drops` are
    /// between those of `ledger` and `discards`, although `ledger` follows them in the schema, which is the order after
    /// `VACUUM`. Dropping the placeholder moves the newest table, `ledger`, to its root page.
    private static let tables = """
        CREATE TABLE events (seq INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE CHECK (length(id) = 16), time INTEGER \
        NOT NULL, name TEXT NOT NULL, line BLOB NOT NULL, purpose TEXT) STRICT;
        CREATE TABLE consumers (name TEXT PRIMARY KEY, acknowledged INTEGER NOT NULL, checkpoint TEXT, holder TEXT, \
        state TEXT, kept_from INTEGER) STRICT, WITHOUT ROWID;
        CREATE TABLE placeholder (value);
        CREATE TABLE log (singleton INTEGER PRIMARY KEY DEFAULT 1 CHECK (singleton = 1), install_id TEXT NOT NULL, \
        last_seq INTEGER NOT NULL DEFAULT 0, event_count INTEGER NOT NULL DEFAULT 0, event_bytes INTEGER NOT NULL \
        DEFAULT 0, synced_seq INTEGER NOT NULL DEFAULT 0, commits INTEGER NOT NULL DEFAULT 0, removed_count INTEGER \
        NOT NULL DEFAULT 0, removed_bytes INTEGER NOT NULL DEFAULT 0, secret TEXT NOT NULL DEFAULT '', generation \
        INTEGER NOT NULL DEFAULT 1, base INTEGER NOT NULL DEFAULT 0, is_adopted INTEGER NOT NULL DEFAULT 0, \
        evicted_letters INTEGER NOT NULL DEFAULT 0, purposes TEXT) STRICT;
        CREATE TABLE journal_drops (journal TEXT NOT NULL, reason TEXT NOT NULL, count INTEGER NOT NULL, \
        PRIMARY KEY (journal, reason)) STRICT, WITHOUT ROWID;
        CREATE TABLE ledger (reason TEXT NOT NULL, consumer TEXT NOT NULL DEFAULT '', first_seq INTEGER NOT NULL \
        DEFAULT 0, last_seq INTEGER NOT NULL DEFAULT 0, count INTEGER NOT NULL, first_time INTEGER, last_time INTEGER, \
        change INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (reason, consumer, first_seq)) STRICT, WITHOUT ROWID;
        DROP TABLE placeholder;
        CREATE TABLE discards (user_id TEXT PRIMARY KEY, through_seq INTEGER NOT NULL, \
        reason TEXT NOT NULL DEFAULT 'opted-out') STRICT, WITHOUT ROWID;
        CREATE TABLE consents (user_id TEXT PRIMARY KEY, consent TEXT NOT NULL \
        CHECK (consent IN ('granted', 'denied', 'unknown')), is_answered INTEGER NOT NULL DEFAULT 1, \
        number INTEGER NOT NULL DEFAULT 0, person TEXT) STRICT, WITHOUT ROWID;
        CREATE TABLE kept (consumer TEXT NOT NULL, first_seq INTEGER NOT NULL, last_seq INTEGER NOT NULL, \
        is_retried INTEGER NOT NULL DEFAULT 0, PRIMARY KEY (consumer, first_seq)) STRICT, WITHOUT ROWID;
        CREATE TABLE generations (number INTEGER PRIMARY KEY, install_id TEXT NOT NULL, secret TEXT NOT NULL, \
        base INTEGER NOT NULL, is_adopted INTEGER NOT NULL, drops TEXT NOT NULL) STRICT;
        CREATE TABLE copies (seq INTEGER PRIMARY KEY, consumer TEXT NOT NULL, id BLOB NOT NULL, time INTEGER \
        NOT NULL, name TEXT NOT NULL, line BLOB NOT NULL, purpose TEXT) STRICT;
        CREATE INDEX ledger_changes ON ledger (change);
        CREATE TABLE dead_letters (number INTEGER PRIMARY KEY, consumer TEXT NOT NULL, install_id TEXT NOT \
        NULL, seq INTEGER NOT NULL, time INTEGER NOT NULL, attempts INTEGER NOT NULL, reason TEXT NOT NULL, \
        place TEXT, line BLOB NOT NULL, purpose TEXT) STRICT;
        CREATE TABLE answers (number INTEGER NOT NULL, time INTEGER NOT NULL, key TEXT NOT NULL, is_granted INTEGER \
        NOT NULL, policy TEXT NOT NULL, app TEXT, purposes TEXT, PRIMARY KEY (number, time, key)) STRICT, WITHOUT ROWID;
        CREATE VIEW event_lines AS SELECT seq, lower(substr(hex(id), 1, 8) || '-' || substr(hex(id), 9, 4) || '-' || \
        substr(hex(id), 13, 4) || '-' || substr(hex(id), 17, 4) || '-' || substr(hex(id), 21)) AS id, \
        strftime('%Y-%m-%dT%H:%M:%fZ', time / 1000000.0, 'unixepoch') AS time, name, CAST(line AS TEXT) AS line \
        FROM events;
        """
}

/// The log's tables, for benchmarks.
package enum EventLogSchema {
    /// The SQL that creates a log in an empty database.
    package static var statements: String { DatabaseSchema.statements(installID: "benchmark") }
}
