/// The tables in ClickHouse.
package enum ClickHouseTables {
    /// The statements that create the tables, in the current database.
    ///
    /// `context` and `properties` are JSON in a String: the type JSON rejects some objects that JSON allows, such as
    /// `{"a.b": 1, "a": {"b": 2}}` or an integer of 30 digits, and one such line would fail its whole block. With
    /// `block` in the sort key, its rows are found without reading the whole hour.
    package static let statements = [events, numbers, streams]

    /// The hash of lines: the sum modulo 2^64 of the first eight bytes, little-endian, of the SHA-256 of each.
    static let rangeHash = "sum(reinterpretAsUInt64(substring(SHA256(line), 1, 8)))"

    /// Makes an insert of one month a single part, which is stored completely or not at all.
    static let insertSettings: [String: String] = [
        "async_insert": "0", "max_insert_block_size": "1000000", "min_insert_block_size_rows": "1000000",
        "min_insert_block_size_bytes": "0", "input_format_parallel_parsing": "0", "max_insert_threads": "1",
        // A table of another version is an error, not a lost column.
        "input_format_skip_unknown_fields": "0",
    ]

    private static let events = """
        CREATE TABLE IF NOT EXISTS events (
            install_id String,
            seq UInt64,
            fork LowCardinality(String),
            id String,
            event LowCardinality(String),
            schema LowCardinality(String),
            user_id String,
            session_id String,
            time DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
            corrected_time DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
            received_at DateTime64(6, 'UTC') CODEC(Delta, ZSTD(1)),
            context String CODEC(ZSTD(1)),
            properties String CODEC(ZSTD(1)),
            validated Bool,
            collector LowCardinality(String),
            batch String CODEC(ZSTD(1)),
            block String,
            line String CODEC(ZSTD(1)),
            INDEX install_index install_id TYPE bloom_filter(0.01) GRANULARITY 1
        )
        ENGINE = MergeTree
        PARTITION BY toYYYYMM(received_at)
        ORDER BY (event, toStartOfHour(received_at), block, install_id, seq)
        SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1
        """

    /// When the stream was created, which identifies it.
    private static let streams = """
        CREATE TABLE IF NOT EXISTS streams (created String) ENGINE = MergeTree ORDER BY created
        """

    private static let numbers = """
        CREATE TABLE IF NOT EXISTS numbers (
            install_id String,
            first UInt64,
            last UInt64,
            fate LowCardinality(String),
            reason LowCardinality(String),
            received_at DateTime64(6, 'UTC'),
            collector LowCardinality(String),
            batch String,
            block String
        )
        ENGINE = MergeTree
        PARTITION BY toYYYYMM(received_at)
        ORDER BY (toStartOfHour(received_at), block, install_id, first)
        SETTINGS non_replicated_deduplication_window = 10000, fsync_after_insert = 1, fsync_part_directory = 1
        """
}
