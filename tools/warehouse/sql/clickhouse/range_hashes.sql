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
        WHERE fork = '' AND seq BETWEEN {first:UInt64} AND {last:UInt64} AND ({block:String} = '' OR block = {block:String})
    ),
    islands AS (
        SELECT install_id, seq, toInt64(seq) - row_number() OVER (PARTITION BY install_id ORDER BY seq) AS island
        FROM stored_numbers
    ),
    stored_ranges AS (
        SELECT install_id, toInt64(min(seq)) AS first_number, toInt64(max(seq)) AS last_number
        FROM islands
        GROUP BY install_id, island
    ),
    numbers_text AS (
        SELECT
            install_id,
            arrayStringConcat(
                arrayMap(
                    pair -> if(pair.1 = pair.2, toString(pair.1), concat(toString(pair.1), '-', toString(pair.2))),
                    arraySort(groupArray((first_number, last_number)))),
                ', ') AS ranges
        FROM stored_ranges
        GROUP BY install_id
    ),
    sums AS (
        SELECT
            install_id,
            count(*) AS line_count,
            sum(reinterpretAsUInt64(substring(SHA256(line), 1, 8))) AS total
        FROM events
        WHERE fork = '' AND seq BETWEEN {first:UInt64} AND {last:UInt64} AND ({block:String} = '' OR block = {block:String})
        GROUP BY install_id
    )
SELECT
    sums.install_id AS install_id,
    numbers_text.ranges AS ranges,
    sums.line_count AS line_count,
    leftPad(lower(hex(sums.total)), 16, '0') AS hash
FROM sums
INNER JOIN numbers_text ON numbers_text.install_id = sums.install_id
ORDER BY install_id;
