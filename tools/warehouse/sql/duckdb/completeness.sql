-- Completeness: for each install, what became of every number from 1 to the highest.
--
-- One row for each install.
--   install_id
--   highest          highest number, stored or in `numbers`
--   stored           numbers with a row whose fork is empty
--   erased, opted_out, refused, dropped, held, forked
--                    numbers without a stored row, by fate
--   missing          numbers without a row and without a fate
--   missing_ranges   such as `5-7, 9`
--   duplicates       rows beyond the first of a number, with an empty fork
--   fork_rows        rows of forks; they don't count as stored
--
-- Each number is counted once: erased > stored > opted-out > refused > dropped > held > forked. So a number that was held and is stored
-- later counts as stored, and an erased number as erased. Ranges below 1 are ignored: number 0 stands for events without a number.
--
-- Parameters: none.

WITH
    stored_numbers AS (
        SELECT DISTINCT install_id, seq
        FROM events
        WHERE fork = '' AND seq >= 1
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
    ranges AS (
        SELECT install_id, first_number, last_number, 'stored' AS fate
        FROM stored_ranges
        UNION ALL
        SELECT install_id, greatest(CAST(first AS BIGINT), 1) AS first_number, CAST(last AS BIGINT) AS last_number, fate
        FROM numbers
        WHERE last >= 1 AND first <= last
    ),
    -- A range begins at its first number and ends before the number after its last; number 1 makes a leading gap visible.
    edges AS (
        SELECT install_id, first_number AS number, fate, 1 AS delta
        FROM ranges
        UNION ALL
        SELECT install_id, last_number + 1 AS number, fate, -1 AS delta
        FROM ranges
        UNION ALL
        SELECT DISTINCT install_id, 1 AS number, 'none' AS fate, 0 AS delta
        FROM ranges
    ),
    changes AS (
        SELECT
            install_id,
            number,
            sum(CASE WHEN fate = 'erased' THEN delta ELSE 0 END) AS erased,
            sum(CASE WHEN fate = 'stored' THEN delta ELSE 0 END) AS stored,
            sum(CASE WHEN fate = 'opted-out' THEN delta ELSE 0 END) AS opted_out,
            sum(CASE WHEN fate = 'refused' THEN delta ELSE 0 END) AS refused,
            sum(CASE WHEN fate = 'dropped' THEN delta ELSE 0 END) AS dropped,
            sum(CASE WHEN fate = 'held' THEN delta ELSE 0 END) AS held,
            sum(CASE WHEN fate = 'forked' THEN delta ELSE 0 END) AS forked
        FROM edges
        GROUP BY install_id, number
    ),
    running AS (
        SELECT
            install_id,
            number,
            sum(erased) OVER (PARTITION BY install_id ORDER BY number) AS erased,
            sum(stored) OVER (PARTITION BY install_id ORDER BY number) AS stored,
            sum(opted_out) OVER (PARTITION BY install_id ORDER BY number) AS opted_out,
            sum(refused) OVER (PARTITION BY install_id ORDER BY number) AS refused,
            sum(dropped) OVER (PARTITION BY install_id ORDER BY number) AS dropped,
            sum(held) OVER (PARTITION BY install_id ORDER BY number) AS held,
            sum(forked) OVER (PARTITION BY install_id ORDER BY number) AS forked,
            lead(number) OVER (PARTITION BY install_id ORDER BY number) AS next_number
        FROM changes
    ),
    segments AS (
        SELECT
            install_id,
            number AS first_number,
            next_number - 1 AS last_number,
            CASE
                WHEN erased > 0 THEN 'erased'
                WHEN stored > 0 THEN 'stored'
                WHEN opted_out > 0 THEN 'opted-out'
                WHEN refused > 0 THEN 'refused'
                WHEN dropped > 0 THEN 'dropped'
                WHEN held > 0 THEN 'held'
                WHEN forked > 0 THEN 'forked'
                ELSE 'missing'
            END AS fate
        FROM running
        WHERE next_number IS NOT NULL
    ),
    fates AS (
        SELECT
            install_id,
            max(last_number) AS highest,
            coalesce(sum(last_number - first_number + 1) FILTER (WHERE fate = 'stored'), 0) AS stored,
            coalesce(sum(last_number - first_number + 1) FILTER (WHERE fate = 'erased'), 0) AS erased,
            coalesce(sum(last_number - first_number + 1) FILTER (WHERE fate = 'opted-out'), 0) AS opted_out,
            coalesce(sum(last_number - first_number + 1) FILTER (WHERE fate = 'refused'), 0) AS refused,
            coalesce(sum(last_number - first_number + 1) FILTER (WHERE fate = 'dropped'), 0) AS dropped,
            coalesce(sum(last_number - first_number + 1) FILTER (WHERE fate = 'held'), 0) AS held,
            coalesce(sum(last_number - first_number + 1) FILTER (WHERE fate = 'forked'), 0) AS forked,
            coalesce(sum(last_number - first_number + 1) FILTER (WHERE fate = 'missing'), 0) AS missing,
            coalesce(
                string_agg(
                    CASE WHEN first_number = last_number
                        THEN CAST(first_number AS VARCHAR) ELSE concat(first_number, '-', last_number) END,
                    ', ' ORDER BY first_number) FILTER (WHERE fate = 'missing'),
                '') AS missing_ranges
        FROM segments
        GROUP BY install_id
    ),
    copies AS (
        SELECT
            install_id,
            count(*) FILTER (WHERE fork = '') - count(DISTINCT seq) FILTER (WHERE fork = '') AS duplicates,
            count(*) FILTER (WHERE fork != '') AS fork_rows
        FROM events
        GROUP BY install_id
    )
SELECT
    fates.install_id AS install_id,
    fates.highest AS highest,
    fates.stored AS stored,
    fates.erased AS erased,
    fates.opted_out AS opted_out,
    fates.refused AS refused,
    fates.dropped AS dropped,
    fates.held AS held,
    fates.forked AS forked,
    fates.missing AS missing,
    fates.missing_ranges AS missing_ranges,
    coalesce(copies.duplicates, 0) AS duplicates,
    coalesce(copies.fork_rows, 0) AS fork_rows
FROM fates
LEFT JOIN copies ON copies.install_id = fates.install_id
ORDER BY install_id;
