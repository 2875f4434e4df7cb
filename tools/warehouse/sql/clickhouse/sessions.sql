-- Sessions: how many, how long, and how many events in each.
--
-- One row; a session is a distinct session_id. The figures are those of `trackctl report`, which has no 90th percentile.
--   sessions                          distinct session_id
--   median_seconds, p90_seconds       length in whole seconds, from the session's first `time` to its last
--   longest_seconds
--   median_events, p90_events         rows in a session
--   most_events
--
-- The median is the lower one. The 90th percentile is the lowest length that at least 90 % of the sessions don't exceed.
--
-- Parameters: none.

WITH
    lengths AS (
        SELECT
            session_id,
            intDiv(toUnixTimestamp64Micro(max(time)) - toUnixTimestamp64Micro(min(time)), 1000000) AS seconds,
            count(*) AS size
        FROM events
        GROUP BY session_id
    ),
    ranked AS (
        SELECT
            seconds,
            size,
            row_number() OVER (ORDER BY seconds) AS seconds_rank,
            row_number() OVER (ORDER BY size) AS size_rank,
            count(*) OVER () AS total
        FROM lengths
    )
SELECT
    count(*) AS sessions,
    maxIf(seconds, seconds_rank = intDiv(total + 1, 2)) AS median_seconds,
    maxIf(seconds, seconds_rank = intDiv(total * 9 + 9, 10)) AS p90_seconds,
    max(seconds) AS longest_seconds,
    maxIf(size, size_rank = intDiv(total + 1, 2)) AS median_events,
    maxIf(size, size_rank = intDiv(total * 9 + 9, 10)) AS p90_events,
    max(size) AS most_events
FROM ranked;
