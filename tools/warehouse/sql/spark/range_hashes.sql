-- Hashes of the stored lines of each install, to compare with manifests or with a device.
--
-- One row for each install with rows whose fork is empty.
--   install_id
--   ranges      numbers, such as `1-500, 510-600`
--   line_count  rows
--   hash        16 hexadecimal digits: the sum modulo 2^64 of the first 8 bytes, little-endian, of the SHA-256 of each line
--
-- Rows are counted as they are: a number that is stored twice counts twice in `line_count` and `hash`.
--
-- Parameters:
--   first       lowest number; 1 for all
--   last        highest number; 9007199254740991 for all
--   block       block id, such as `3-17`; empty for all blocks

WITH
    stored_numbers AS (
        SELECT DISTINCT install_id, seq
        FROM events
        WHERE fork = '' AND seq BETWEEN :first AND :last AND (:block = '' OR block = :block)
    ),
    islands AS (
        SELECT install_id, seq, CAST(seq AS BIGINT) - row_number() OVER (PARTITION BY install_id ORDER BY seq) AS island
        FROM stored_numbers
    ),
    stored_ranges AS (
        SELECT install_id, CAST(min(seq) AS BIGINT) AS first_number, CAST(max(seq) AS BIGINT) AS last_number
        FROM islands
        GROUP BY install_id, island
    ),
    numbers_text AS (
        SELECT
            install_id,
            array_join(
                transform(
                    array_sort(collect_list(struct(first_number AS low, last_number AS high))),
                    pair -> CASE WHEN pair.low = pair.high
                        THEN CAST(pair.low AS STRING) ELSE concat(pair.low, '-', pair.high) END),
                ', ') AS ranges
        FROM stored_ranges
        GROUP BY install_id
    ),
    sums AS (
        SELECT
            install_id,
            count(*) AS line_count,
            sum(CAST(conv(concat(
                substr(digest, 15, 2), substr(digest, 13, 2), substr(digest, 11, 2), substr(digest, 9, 2),
                substr(digest, 7, 2), substr(digest, 5, 2), substr(digest, 3, 2), substr(digest, 1, 2)), 16, 10)
                AS DECIMAL(20, 0))) % 18446744073709551616BD AS total
        FROM (SELECT *, sha2(line, 256) AS digest FROM events) AS digests
        WHERE fork = '' AND seq BETWEEN :first AND :last AND (:block = '' OR block = :block)
        GROUP BY install_id
    )
SELECT
    sums.install_id AS install_id,
    numbers_text.ranges AS ranges,
    sums.line_count AS line_count,
    lpad(lower(conv(CAST(sums.total AS STRING), 10, 16)), 16, '0') AS hash
FROM sums
INNER JOIN numbers_text ON numbers_text.install_id = sums.install_id
ORDER BY install_id;
