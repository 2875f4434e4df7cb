package import GRDB

/// The tables of a partition's state.
package enum PartitionTables {
    static let version = 2

    /// Creates the tables in an empty database.
    package static func create(in db: Database) throws { try db.execute(sql: statements) }

    private static let statements = """
        CREATE TABLE meta (
            partition INTEGER NOT NULL, partitions INTEGER NOT NULL, stream TEXT NOT NULL,
            -- See Position.
            block INTEGER NOT NULL DEFAULT 0, through INTEGER NOT NULL DEFAULT 0, cut INTEGER NOT NULL DEFAULT 0,
            seen INTEGER NOT NULL DEFAULT 0
        );

        -- 'secret_hash' is of the first batch with a secret; 'has_other_secret' is 1 after a batch with another one.
        CREATE TABLE installs (
            id INTEGER PRIMARY KEY, install TEXT NOT NULL UNIQUE, secret_hash BLOB NOT NULL DEFAULT x'',
            has_other_secret INTEGER NOT NULL DEFAULT 0
        );

        -- The numbers that batches have accounted for, as JSON ranges, and the gaps below 'highest' with the time when each
        -- was noticed, in microseconds since 1970. 'oldest_gap' is the earliest of these times that no verdict covers yet;
        -- NULL if there is none.
        CREATE TABLE accounts (
            install INTEGER PRIMARY KEY, highest INTEGER NOT NULL, ranges TEXT NOT NULL, gaps TEXT NOT NULL,
            oldest_gap INTEGER
        );
        CREATE INDEX accounts_by_gap ON accounts (oldest_gap) WHERE oldest_gap IS NOT NULL;

        -- The latest verdict about an install; 'is_published' is 0 until the stream has it.
        CREATE TABLE verdicts (install INTEGER PRIMARY KEY, payload BLOB NOT NULL, is_published INTEGER NOT NULL);
        CREATE INDEX verdicts_unpublished ON verdicts (install) WHERE is_published = 0;

        -- Stored lines with consecutive numbers. 'hashes' has eight bytes per line, as in range hashes; 'day' is the day since
        -- 1970 on which a collector received them.
        CREATE TABLE runs (
            install INTEGER, first INTEGER, last INTEGER NOT NULL, hashes BLOB NOT NULL, day INTEGER NOT NULL,
            PRIMARY KEY (install, first)
        ) WITHOUT ROWID;

        -- Further lines under stored numbers.
        CREATE TABLE forks (
            install INTEGER, seq INTEGER, hash INTEGER, fork TEXT NOT NULL, PRIMARY KEY (install, seq, hash)
        ) WITHOUT ROWID;

        CREATE INDEX runs_by_day ON runs (day);

        -- Numbers of stored lines whose hashes were removed because of their age: disjoint ranges that do not adjoin.
        CREATE TABLE unhashed (
            install INTEGER, first INTEGER, last INTEGER NOT NULL, PRIMARY KEY (install, first)
        ) WITHOUT ROWID;
        """
}
