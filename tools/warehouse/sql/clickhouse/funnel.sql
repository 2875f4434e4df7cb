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
--
-- ClickHouse reads no property of a row that has an integer beyond 64 bits. The collector rejects integers beyond ±(2^53 - 1).

WITH
    matches AS (
        SELECT
            if({by:String} = 'user_id', user_id, session_id) AS unit,
            toUnixTimestamp64Micro(time) AS instant,
            if({within_seconds:UInt64} = 0, 9223372036854775807, {within_seconds:UInt64} * 1000000) AS time_limit,
            install_id,
            seq,
            fork,
            arrayMap(
                step -> event = splitByChar(':', step)[1] AND (
                    position(step, ':') = 0
                    OR arrayExists(
                        member -> JSONType(properties, member) = 'String'
                            AND JSONExtractString(properties, member) = substring(step, position(step, ':') + 1),
                        range(1, JSONLength(properties) + 1))),
                {steps:Array(String)}) AS matched
        FROM events
        WHERE arrayExists(step -> event = splitByChar(':', step)[1], {steps:Array(String)})
    ),
    -- start1, start2 … is the time of the first step of the latest attempt that the event brings to step 1, 2 …
    step1 AS (
        SELECT *, CASE WHEN matched[1] THEN instant END AS start1
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
            CASE WHEN matched[2] AND instant - earlier2 <= time_limit THEN earlier2 END AS start2
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
            CASE WHEN matched[3] AND instant - earlier3 <= time_limit THEN earlier3 END AS start3
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
            CASE WHEN matched[4] AND instant - earlier4 <= time_limit THEN earlier4 END AS start4
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
            CASE WHEN matched[5] AND instant - earlier5 <= time_limit THEN earlier5 END AS start5
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
            CASE WHEN matched[6] AND instant - earlier6 <= time_limit THEN earlier6 END AS start6
        FROM earlier6
    ),
    reached AS (
        SELECT
            arrayJoin(arrayFilter(
                step -> [start1, start2, start3, start4, start5, start6][step] IS NOT NULL, range(1, 7))) AS step,
            unit
        FROM step6
    )
SELECT
    numbered.step AS step,
    numbered.name AS name,
    uniqExactIf(reached.unit, reached.step > 0) AS units
FROM (
    SELECT arrayJoin(arrayEnumerate({steps:Array(String)})) AS step, {steps:Array(String)}[step] AS name
) AS numbered
LEFT JOIN reached ON reached.step = numbered.step
GROUP BY step, name
ORDER BY step;
