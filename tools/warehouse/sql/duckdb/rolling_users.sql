-- Rolling active users: distinct users in the last N days, for each day.
--
-- One row for each day from the first day with events to the last, by `time` in UTC.
--   day
--   users      distinct user_id with events on this day or the N-1 days before
--
-- Parameters:
--   days       N, at least 1; 7 and 28 are usual

WITH
    active AS (
        SELECT DISTINCT user_id, CAST(time AS DATE) AS active_day
        FROM events
    ),
    followed AS (
        SELECT active_day, lead(active_day) OVER (PARTITION BY user_id ORDER BY active_day) AS next_day
        FROM active
    ),
    -- A user counts from each active day until N days later or until the next active day: these spans don't overlap.
    changes AS (
        SELECT active_day AS changed, 1 AS delta
        FROM followed
        UNION ALL
        SELECT
            coalesce(least(next_day, active_day + CAST($days AS INTEGER)), active_day + CAST($days AS INTEGER)) AS changed,
            -1 AS delta
        FROM followed
    ),
    calendar AS (
        SELECT CAST(unnest(generate_series(first_day, last_day, INTERVAL 1 DAY)) AS DATE) AS changed, 0 AS delta
        FROM (
            SELECT min(active_day) AS first_day, max(active_day) AS last_day
            FROM active
        HAVING count(*) > 0
        ) AS ends
    ),
    daily AS (
        SELECT changed, sum(delta) AS delta
        FROM (SELECT * FROM changes UNION ALL SELECT * FROM calendar) AS both_kinds
        GROUP BY changed
    ),
    running AS (
        SELECT changed AS day, sum(delta) OVER (ORDER BY changed) AS users
        FROM daily
    )
SELECT day, users
FROM running
WHERE day <= (SELECT max(active_day) FROM active)
ORDER BY day;
