# What `trackctl stats` computes, by DuckDB on one thread: prints the milliseconds, then the figures of each event.
import sys
import time

import duckdb

start = time.monotonic()
database = duckdb.connect()
database.execute("SET threads = 1")
database.execute(
    """
    CREATE TEMP TABLE lines AS
    SELECT event.name AS name, user_id, session_id, install_id, seq, time
    FROM read_json(?, format = 'newline_delimited', columns = {
        install_id: 'VARCHAR', seq: 'BIGINT', session_id: 'VARCHAR', user_id: 'VARCHAR', time: 'DOUBLE',
        event: 'STRUCT(name VARCHAR)'})
    """,
    [sys.argv[1]],
)
events = database.execute(
    "SELECT name, count(*), count(DISTINCT user_id), min(time), max(time) FROM lines GROUP BY name"
).fetchall()
database.execute("SELECT count(DISTINCT user_id), count(DISTINCT session_id) FROM lines").fetchall()
database.execute(
    "SELECT install_id, count(*), min(seq), max(seq), count(DISTINCT seq) FROM lines GROUP BY install_id"
).fetchall()
print((time.monotonic() - start) * 1000)
print(*(f'"count":{count}' for _, count, _, _, _ in events))
