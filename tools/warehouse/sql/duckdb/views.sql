-- Views of a folder of the loader: `events`, `numbers`.
--
-- Both views have the columns of the ClickHouse tables, and `dt` and `hour`, the day and hour of `received_at` in UTC, which
-- are names of folders: a condition on them skips files. JSON lines and Parquet files can both be present, or be absent.
--
--   SET VARIABLE folder = 'warehouse';
--   .read tools/warehouse/sql/duckdb/views.sql
--
-- The files are listed once, here, so that a query sees each event once even if hours are compacted at the same time. Run this
-- file again to see new files, and if a query fails because a file no longer exists.

SET VARIABLE events_files = (
    SELECT coalesce(list(file ORDER BY file), []) FROM glob(getvariable('folder') || '/events/*/*/*')
);

SET VARIABLE numbers_files = (
    SELECT coalesce(list(file ORDER BY file), []) FROM glob(getvariable('folder') || '/numbers/*/*')
);

-- The SELECT without rows declares the columns: without files, the readers have none.
CREATE OR REPLACE VIEW events AS
SELECT
    install_id, seq, fork, id, event, schema, user_id, session_id, time, corrected_time, received_at, context, properties,
    validated, collector, batch, block, line, dt, hour
FROM (
    SELECT
        '' AS install_id, 0::UBIGINT AS seq, '' AS fork, '' AS id, '' AS event, '' AS schema, '' AS user_id, '' AS session_id,
        TIMESTAMP '1970-01-01' AS time, TIMESTAMP '1970-01-01' AS corrected_time, TIMESTAMP '1970-01-01' AS received_at,
        '{}'::JSON AS context, '{}'::JSON AS properties, false AS validated, '' AS collector, '' AS batch, '' AS block,
        '' AS line, DATE '1970-01-01' AS dt, '' AS hour
    WHERE false
    UNION ALL BY NAME
    SELECT *
    FROM read_json(
        list_filter(getvariable('events_files'), lambda file: suffix(file, '.jsonl.zst')),
        format = 'newline_delimited',
        columns = {
            install_id: 'VARCHAR', seq: 'UBIGINT', fork: 'VARCHAR', id: 'VARCHAR', event: 'VARCHAR', schema: 'VARCHAR',
            user_id: 'VARCHAR', session_id: 'VARCHAR', time: 'TIMESTAMP', corrected_time: 'TIMESTAMP',
            received_at: 'TIMESTAMP', context: 'JSON', properties: 'JSON', validated: 'BOOLEAN', collector: 'VARCHAR',
            batch: 'VARCHAR', block: 'VARCHAR', line: 'VARCHAR'},
        hive_partitioning = true,
        hive_types = {dt: DATE, hour: VARCHAR},
        allow_empty = true)
    UNION ALL BY NAME
    SELECT *
    FROM read_parquet(
        list_filter(getvariable('events_files'), lambda file: suffix(file, '.parquet')),
        hive_partitioning = true,
        hive_types = {dt: DATE, hour: VARCHAR},
        allow_empty = true)
);

CREATE OR REPLACE VIEW numbers AS
SELECT install_id, first, last, fate, reason, received_at, collector, batch, block, dt
FROM (
    SELECT
        '' AS install_id, 0::UBIGINT AS first, 0::UBIGINT AS last, '' AS fate, '' AS reason, TIMESTAMP '1970-01-01' AS received_at,
        '' AS collector, '' AS batch, '' AS block, DATE '1970-01-01' AS dt
    WHERE false
    UNION ALL BY NAME
    SELECT *
    FROM read_json(
        list_filter(getvariable('numbers_files'), lambda file: suffix(file, '.jsonl.zst')),
        format = 'newline_delimited',
        columns = {
            install_id: 'VARCHAR', first: 'UBIGINT', last: 'UBIGINT', fate: 'VARCHAR', reason: 'VARCHAR',
            received_at: 'TIMESTAMP', collector: 'VARCHAR', batch: 'VARCHAR', block: 'VARCHAR'},
        hive_partitioning = true,
        hive_types = {dt: DATE},
        allow_empty = true)
    UNION ALL BY NAME
    SELECT *
    FROM read_parquet(
        list_filter(getvariable('numbers_files'), lambda file: suffix(file, '.parquet')),
        hive_partitioning = true,
        hive_types = {dt: DATE},
        allow_empty = true)
);
