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
            (epoch_us(max(time)) - epoch_us(min(time))) // 1000000 AS seconds,
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
    coalesce(max(seconds) FILTER (WHERE seconds_rank = (total + 1) // 2), 0) AS median_seconds,
    coalesce(max(seconds) FILTER (WHERE seconds_rank = (total * 9 + 9) // 10), 0) AS p90_seconds,
    coalesce(max(seconds), 0) AS longest_seconds,
    coalesce(max(size) FILTER (WHERE size_rank = (total + 1) // 2), 0) AS median_events,
    coalesce(max(size) FILTER (WHERE size_rank = (total * 9 + 9) // 10), 0) AS p90_events,
    coalesce(max(size), 0) AS most_events
FROM ranked;
