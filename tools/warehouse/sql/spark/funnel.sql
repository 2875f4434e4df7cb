-- Funnel: how many users or sessions complete steps in this order, with any other events in between.
--
-- One row for each step. The figures are those of `trackctl report --funnel`, with the input sorted by time.
--   step       1, 2, 3 …
--   name       the step as passed
--   units      users or sessions that reached the step
--
-- An event completes at most one step. Events are ordered by (time, install_id, seq, fork). The limit applies to the time from
-- the first step to each later step, of any attempt: a later first step starts a new attempt.
--
-- Parameters:
--   steps            list of 1 to 6 texts: `search`, or `page-view:detail`, where a direct member of the event's properties must
--                    be the text `detail`; event names are exact, without * and ?
--   by               user_id or session_id
--   within_seconds   time limit in seconds; 0 for none

WITH
    matches AS (
        SELECT
            CASE WHEN :by = 'user_id' THEN user_id ELSE session_id END AS unit,
            timestampdiff(MICROSECOND, TIMESTAMP_NTZ '1970-01-01 00:00:00', time) AS instant,
            CASE WHEN :within_seconds = 0 THEN 9223372036854775807 ELSE CAST(:within_seconds AS BIGINT) * 1000000 END AS time_limit,
            install_id,
            seq,
            fork,
            transform(
                :steps,
                step -> event = split_part(step, ':', 1) AND (
                    NOT contains(step, ':')
                    OR exists(
                        map_values(from_json(properties, 'map<string,variant>')),
                        member -> schema_of_variant(member) = 'STRING'
                            AND variant_get(member, '$', 'string') = substr(step, instr(step, ':') + 1)))) AS matched
        FROM events
        WHERE array_contains(transform(:steps, step -> split_part(step, ':', 1)), event)
    ),
    -- start1, start2 … is the time of the first step of the latest attempt that the event brings to step 1, 2 …
    step1 AS (
        SELECT *, CASE WHEN get(matched, 0) THEN instant END AS start1
        FROM matches
    ),
    earlier2 AS (
        SELECT
            *,
            max(start1) OVER (
                PARTITION BY unit ORDER BY instant, install_id, seq, fork ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS earlier2
        FROM step1
    ),
    step2 AS (
        SELECT
            *,
            CASE WHEN get(matched, 1) AND instant - earlier2 <= time_limit THEN earlier2 END AS start2
        FROM earlier2
    ),
    earlier3 AS (
        SELECT
            *,
            max(start2) OVER (
                PARTITION BY unit ORDER BY instant, install_id, seq, fork ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS earlier3
        FROM step2
    ),
    step3 AS (
        SELECT
            *,
            CASE WHEN get(matched, 2) AND instant - earlier3 <= time_limit THEN earlier3 END AS start3
        FROM earlier3
    ),
    earlier4 AS (
        SELECT
            *,
            max(start3) OVER (
                PARTITION BY unit ORDER BY instant, install_id, seq, fork ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS earlier4
        FROM step3
    ),
    step4 AS (
        SELECT
            *,
            CASE WHEN get(matched, 3) AND instant - earlier4 <= time_limit THEN earlier4 END AS start4
        FROM earlier4
    ),
    earlier5 AS (
        SELECT
            *,
            max(start4) OVER (
                PARTITION BY unit ORDER BY instant, install_id, seq, fork ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS earlier5
        FROM step4
    ),
    step5 AS (
        SELECT
            *,
            CASE WHEN get(matched, 4) AND instant - earlier5 <= time_limit THEN earlier5 END AS start5
        FROM earlier5
    ),
    earlier6 AS (
        SELECT
            *,
            max(start5) OVER (
                PARTITION BY unit ORDER BY instant, install_id, seq, fork ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING
            ) AS earlier6
        FROM step5
    ),
    step6 AS (
        SELECT
            *,
            CASE WHEN get(matched, 5) AND instant - earlier6 <= time_limit THEN earlier6 END AS start6
        FROM earlier6
    ),
    reached AS (
        SELECT posexplode(array(start1, start2, start3, start4, start5, start6)) AS (step, start), unit
        FROM step6
    ),
    numbered AS (
        SELECT posexplode(:steps) AS (step, name)
    )
SELECT
    numbered.step + 1 AS step,
    numbered.name,
    count(DISTINCT reached.unit) AS units
FROM numbered
LEFT JOIN reached ON reached.step = numbered.step AND reached.start IS NOT NULL
GROUP BY numbered.step, numbered.name
ORDER BY step;
