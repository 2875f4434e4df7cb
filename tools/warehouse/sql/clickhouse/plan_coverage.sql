-- Plan coverage: which schemas and properties of the tracking plan were seen, and which never.
--
-- One row for each schema and each direct property, in the plan or seen.
--   schema       such as `page-view/1-0-0`
--   property     name of a direct member of the event's properties; NULL for the schema as a whole
--   in_plan      whether the plan lists it
--   events       rows with this schema, and with this property, also if its value is null; 0 if never seen
--   first_seen   lowest `time`, NULL if never seen
--   last_seen    highest `time`, NULL if never seen
--
-- Parameters:
--   plan         list of texts: `page-view/1-0-0` for a schema, `page-view/1-0-0#page` for a property; `tools/warehouse/plan`
--                prints the list of a folder of schemas
--
-- ClickHouse reads no property of a row that has an integer beyond 64 bits. The collector rejects integers beyond ±(2^53 - 1).

WITH
    planned_entries AS (
        SELECT DISTINCT
            splitByChar('#', entry)[1] AS schema,
            if(position(entry, '#') = 0, NULL, substring(entry, position(entry, '#') + 1)) AS property
        FROM (SELECT arrayJoin({plan:Array(String)}) AS entry)
    ),
    occurrences AS (
        SELECT schema, CAST(NULL AS Nullable(String)) AS property, time
        FROM events
        UNION ALL
        SELECT
            schema,
            arrayJoin(arrayMap(member -> JSONKey(properties, member), range(1, JSONLength(properties) + 1))) AS property,
            time
        FROM events
    ),
    seen AS (
        SELECT schema, property, count(*) AS size, min(time) AS first_time, max(time) AS last_time
        FROM occurrences
        GROUP BY schema, property
    )
SELECT
    schema,
    property,
    max(planned) AS in_plan,
    sum(size) AS events,
    max(first_time) AS first_seen,
    max(last_time) AS last_seen
FROM (
    SELECT schema, property, true AS planned, 0 AS size, NULL AS first_time, NULL AS last_time
    FROM planned_entries
    UNION ALL
    SELECT toString(schema) AS schema, property, false AS planned, size, first_time, last_time
    FROM seen
)
GROUP BY schema, property
ORDER BY schema, property NULLS FIRST;
