internal import GRDB

/// The tables of the index. All of it can be rebuilt from the segments.
enum IndexSchema {
    /// The application id in the database's header: `TRKc`.
    static let applicationID = 0x5452_4B63
    static let version = 4
    /// The oldest version that is brought up to date: it lacks the erasures of installs. Version 3 has another view.
    private static let oldestVersion = 2

    /// Creates the tables in a new database.
    ///
    /// - Returns: Whether the database was new.
    /// - Throws: ``StoreError`` with `newerVersion` or `foreign`; `DatabaseError`.
    static func prepare(_ db: Database, path: String) throws -> Bool {
        let version = try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        let application = try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0
        let tables = try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") ?? 0
        if tables == 0 {
            try db.inTransaction {
                try db.execute(sql: statements + erasureStatements + indexStatements + viewStatements)
                try db.execute(
                    sql: "PRAGMA application_id = \(applicationID); PRAGMA user_version = \(Self.version)")
                return .commit
            }
            return true
        }
        try check(version: version, application: application, path: path)
        if version < Self.version {
            try db.inTransaction {
                try db.execute(
                    sql: (version < 3 ? erasureStatements : "") + "DROP VIEW completeness;" + viewStatements
                        + "PRAGMA user_version = \(Self.version)")
                return .commit
            }
        }
        try db.execute(sql: indexStatements)
        return false
    }

    /// Checks which program a database belongs to, without changing it.
    ///
    /// - Throws: ``StoreError`` with `newerVersion` or `foreign`; `DatabaseError`.
    static func check(_ path: String) throws {
        var configuration = Configuration()
        configuration.readonly = true
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        try queue.read { db in
            guard try Int.fetchOne(db, sql: "SELECT count(*) FROM sqlite_master") != 0 else { return }
            try check(
                version: try Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0,
                application: try Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0, path: path)
        }
        try queue.close()
    }

    private static func check(version: Int, application: Int, path: String) throws {
        guard application == applicationID else {
            throw StoreError(.foreign, "\(path) belongs to another program; move it to another folder")
        }
        guard version >= oldestVersion else {
            throw StoreError(.foreign, "\(path) was written by an unreleased version; remove it, and it is rebuilt")
        }
        guard version <= Self.version else {
            throw StoreError(.newerVersion, "\(path) was written by a newer version; update the collector")
        }
    }

    private static let statements = """
        -- 'collector' is its id; 'segment', 'offset' and 'frame' the indexed position; 'clean' is 1 after a clean close.
        CREATE TABLE meta (name TEXT PRIMARY KEY, value) WITHOUT ROWID;

        CREATE TABLE segments (
            number INTEGER PRIMARY KEY,
            generation INTEGER NOT NULL,
            first_frame INTEGER NOT NULL,
            last_frame INTEGER NOT NULL,
            newest INTEGER NOT NULL
        );

        -- Segments that retention has removed or is removing.
        CREATE TABLE expired_segments (number INTEGER PRIMARY KEY);

        -- 'highest' is the highest announced number; all numbers up to 'complete_to' have a fate.
        CREATE TABLE installs (
            id INTEGER PRIMARY KEY,
            install TEXT NOT NULL UNIQUE,
            secret_hash BLOB,
            first_seen INTEGER NOT NULL,
            last_seen INTEGER NOT NULL,
            highest INTEGER NOT NULL,
            complete_to INTEGER NOT NULL
        );

        -- The fate of each number, a raw value of NumberFate. Ranges are disjoint; adjacent ranges of one fate are merged.
        CREATE TABLE numbers (
            install INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            fate INTEGER NOT NULL,
            PRIMARY KEY (install, first)
        ) WITHOUT ROWID;

        -- Numbers from one batch: line 'ordinal' of the receipt's batch has number 'first'. 'hash' is the range's hash. A run
        -- whose batch was removed has expired.
        CREATE TABLE runs (
            install INTEGER NOT NULL,
            first INTEGER NOT NULL,
            last INTEGER NOT NULL,
            receipt INTEGER NOT NULL,
            ordinal INTEGER NOT NULL,
            hash INTEGER NOT NULL,
            PRIMARY KEY (install, first)
        ) WITHOUT ROWID;

        -- 'users' and 'schemas' repeat the keys of batch_users and batch_schemas, to find those rows.
        CREATE TABLE batches (
            receipt INTEGER PRIMARY KEY,
            install INTEGER NOT NULL,
            key BLOB,
            digest BLOB NOT NULL,
            received_at INTEGER NOT NULL,
            first INTEGER,
            last INTEGER,
            lines INTEGER NOT NULL,
            min_time INTEGER,
            max_time INTEGER,
            segment INTEGER NOT NULL,
            offset INTEGER NOT NULL,
            length INTEGER NOT NULL,
            users BLOB NOT NULL,
            schemas BLOB NOT NULL
        );
        CREATE UNIQUE INDEX batches_by_key ON batches (install, key) WHERE key IS NOT NULL;
        CREATE INDEX batches_by_install ON batches (install, receipt);

        -- The first 16 bytes of the SHA-256 of each line.
        CREATE TABLE hashes (receipt INTEGER PRIMARY KEY, bytes BLOB NOT NULL);

        CREATE TABLE batch_users (user INTEGER, receipt INTEGER, PRIMARY KEY (user, receipt)) WITHOUT ROWID;
        CREATE TABLE schemas (id INTEGER PRIMARY KEY, schema TEXT NOT NULL UNIQUE, name TEXT NOT NULL);
        CREATE INDEX schemas_by_name ON schemas (name);
        CREATE TABLE batch_schemas (schema INTEGER, receipt INTEGER, PRIMARY KEY (schema, receipt)) WITHOUT ROWID;

        CREATE TABLE rejects (
            receipt INTEGER, line INTEGER, install INTEGER NOT NULL, seq INTEGER, code TEXT NOT NULL,
            PRIMARY KEY (receipt, line)
        ) WITHOUT ROWID;

        -- 'first' is 0 for events that were dropped before they got a number.
        CREATE TABLE ledger (
            install INTEGER, reason TEXT, first INTEGER, last INTEGER NOT NULL, count INTEGER NOT NULL,
            first_time INTEGER, last_time INTEGER,
            PRIMARY KEY (install, reason, first)
        ) WITHOUT ROWID;

        CREATE TABLE forks (
            install INTEGER, frame INTEGER, seen_at INTEGER NOT NULL, key BLOB NOT NULL,
            acknowledged BLOB NOT NULL, forked BLOB NOT NULL,
            PRIMARY KEY (install, frame)
        ) WITHOUT ROWID;

        -- The latest expiry frame with an install's state. If its segment expires, the state must be written again.
        CREATE TABLE kept_states (install INTEGER PRIMARY KEY, frame INTEGER NOT NULL);
        CREATE INDEX kept_states_by_frame ON kept_states (frame);

        -- Messages of other systems' clients that are remembered, by ClientMessages.Message.key. 'frame' has the key.
        CREATE TABLE messages (
            install INTEGER NOT NULL,
            key BLOB NOT NULL,
            seq INTEGER NOT NULL,
            frame INTEGER NOT NULL,
            received_at INTEGER NOT NULL,
            PRIMARY KEY (install, key)
        ) WITHOUT ROWID;
        CREATE INDEX messages_by_time ON messages (received_at);
        """
    private static let viewStatements = """
        -- One row per install: the count of each fate among the numbers 1 to 'highest'. 'is_complete' is 1 if stored and explained
        -- numbers are all of them; 'held' counts as explained for now. 'missing' numbers are lost unless they arrive later.
        CREATE VIEW completeness AS
        SELECT install, highest, stored, explained, held, highest - stored - explained - held AS missing,
            stored + explained = highest AS is_complete
        FROM (
            SELECT i.install AS install, i.highest AS highest,
                coalesce(sum(n.last - n.first + 1) FILTER (WHERE n.fate = 5), 0) AS stored,
                coalesce(sum(n.last - n.first + 1) FILTER (WHERE n.fate IN (2, 3, 4, 6, 7)), 0) AS explained,
                coalesce(sum(n.last - n.first + 1) FILTER (WHERE n.fate = 1), 0) AS held
            FROM installs i LEFT JOIN numbers n ON n.install = i.id
            GROUP BY i.id
        );
        """
    private static let erasureStatements = """
        -- Erasures of users by their installs, by frame. Lines of 'user', an ErasureFrame.userKey, with a number up to
        -- 'through' are not stored; 'named' are numbers without a line at that time. The location is null unless the frame
        -- still has the user's id.
        CREATE TABLE erasures (
            frame INTEGER PRIMARY KEY,
            install INTEGER NOT NULL,
            key BLOB NOT NULL,
            digest BLOB NOT NULL,
            user BLOB NOT NULL,
            through INTEGER NOT NULL,
            named BLOB NOT NULL,
            events INTEGER NOT NULL,
            kept INTEGER NOT NULL,
            segment INTEGER,
            offset INTEGER,
            length INTEGER
        );
        CREATE UNIQUE INDEX erasures_by_key ON erasures (install, key);
        CREATE INDEX pending_erasures ON erasures (segment) WHERE segment IS NOT NULL;
        """
    /// Added without another version, because earlier collectors need not know it.
    private static let indexStatements = """
        CREATE INDEX IF NOT EXISTS erasures_by_user ON erasures (install, user, through);
        """
}
