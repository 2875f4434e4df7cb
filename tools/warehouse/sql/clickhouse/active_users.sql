-- Active users: distinct users in each day, week and month with events.
--
-- One row for each period, by `time` in UTC. Same as `users` of `trackctl stats --since START --until END`.
--   period     day, week (from Monday) or month
--   start      first day of the period
--   users      distinct user_id
--
-- Parameters: none.

WITH days AS (
    SELECT DISTINCT user_id, toDate32(time) AS active_day
    FROM events
)
SELECT period, start, count(DISTINCT user_id) AS users
FROM (
    SELECT 'day' AS period, active_day AS start, user_id
    FROM days
    UNION ALL
    SELECT 'week' AS period, addDays(active_day, 1 - toDayOfWeek(active_day)) AS start, user_id
    FROM days
    UNION ALL
    SELECT 'month' AS period, addDays(active_day, 1 - toDayOfMonth(active_day)) AS start, user_id
    FROM days
)
GROUP BY period, start
ORDER BY period, start
SETTINGS count_distinct_implementation = 'uniqExact';
