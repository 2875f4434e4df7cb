-- Events per name: how often, how large, by how many users.
--
-- One row for each event name, the most frequent first. The figures are those of `trackctl stats`.
--   event      event name
--   events     rows, including those of forks
--   bytes      bytes of the lines, without line feeds
--   longest    bytes of the longest line
--   users      distinct user_id
--
-- Parameters: none.

SELECT
    event,
    count(*) AS events,
    sum(octet_length(line)) AS bytes,
    max(octet_length(line)) AS longest,
    count(DISTINCT user_id) AS users
FROM events
GROUP BY event
ORDER BY events DESC, event;
