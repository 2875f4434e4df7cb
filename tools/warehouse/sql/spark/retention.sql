-- Retention: on which days users return after their first day.
--
-- One row for each cohort and day, and rows without a cohort for all users. The figures are those of `trackctl report`.
--   cohort     day on which the users were first seen, by `time` in UTC; NULL for all cohorts
--   day        days after the first day, 0 to 31, up to the last day in the table
--   users      users with events on that day
--   of         users of the cohort; for all cohorts, users for whom the table contains that day
--
-- Parameters: none.

WITH
    days AS (
        SELECT DISTINCT user_id, CAST(time AS DATE) AS active_day
        FROM events
    ),
    firsts AS (
        SELECT user_id, min(active_day) AS cohort
        FROM days
        GROUP BY user_id
    ),
    sizes AS (
        SELECT cohort, count(*) AS size
        FROM firsts
        GROUP BY cohort
    ),
    known AS (
        SELECT cohort, size, explode(sequence(0, least(31, datediff(last_day, cohort)))) AS day
        FROM sizes
        CROSS JOIN (SELECT max(active_day) AS last_day FROM days) AS ends
    ),
    returns AS (
        SELECT firsts.cohort AS cohort, datediff(days.active_day, firsts.cohort) AS day, count(*) AS users
        FROM days
        INNER JOIN firsts ON firsts.user_id = days.user_id
        GROUP BY firsts.cohort, datediff(days.active_day, firsts.cohort)
    ),
    cells AS (
        SELECT known.cohort AS cohort, known.day AS day, coalesce(returns.users, 0) AS users, known.size AS size
        FROM known
        LEFT JOIN returns ON returns.cohort = known.cohort AND returns.day = known.day
    )
SELECT CAST(NULL AS DATE) AS cohort, day, sum(users) AS users, sum(size) AS of
FROM cells
GROUP BY day
UNION ALL
SELECT cohort AS cohort, day, users, size AS of
FROM cells
ORDER BY cohort NULLS FIRST, day;
