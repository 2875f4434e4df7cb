"""Writes lines into a folder as a loader does, and rows into ClickHouse, for checks of the queries and of compaction."""

import datetime
import itertools
import json

import zstandard

import folder as layout

# The columns of `loader --print-ddl`, for checks without a loader.
EVENTS = ("install_id String, seq UInt64, fork LowCardinality(String), id String, event LowCardinality(String), "
          "schema LowCardinality(String), user_id String, session_id String, time DateTime64(6, 'UTC'), "
          "corrected_time DateTime64(6, 'UTC'), received_at DateTime64(6, 'UTC'), context String, properties String, validated Bool, "
          "collector LowCardinality(String), batch String, block LowCardinality(String), line String")
NUMBERS = ("install_id String, first UInt64, last UInt64, fate LowCardinality(String), reason String, "
           "received_at DateTime64(6, 'UTC'), collector LowCardinality(String), batch String, block LowCardinality(String)")
TABLES = [f"CREATE TABLE events ({EVENTS}) ENGINE = MergeTree ORDER BY (event, install_id, seq)",
          f"CREATE TABLE numbers ({NUMBERS}) ENGINE = MergeTree ORDER BY (install_id, first)"]
EPOCH = datetime.datetime(1970, 1, 1)


def time_text(microseconds):
    """`2015-01-01 00:00:00.000000`, from microseconds since 1970."""
    return (EPOCH + datetime.timedelta(microseconds=microseconds)).strftime("%Y-%m-%d %H:%M:%S.%f")


def microseconds(number):
    """Microseconds since 1970, from the text of a number of seconds with at most six decimals."""
    whole, _, decimals = number.partition(".")
    return int(whole) * 1_000_000 + int(decimals.ljust(6, "0"))


def properties_of(line):
    """The text of `event.value`, byte for byte; `{}` if the event has none. `event` must be the line's last member."""
    start = line.index('"event":{')
    value = line.find('"value":', start)
    return line[value + len('"value":'):-len("}}")] if value >= 0 else "{}"


def row(line, received_at, fork="", block="", validated=True):
    """The row of a line, as one JSON object.

    line: text without its line feed, written by the SDK, with `event` as its last member.
    received_at: microseconds since 1970.
    """
    event = json.loads(line, parse_float=str, parse_int=str)
    text = lambda value: json.dumps(value, ensure_ascii=False)
    time = text(time_text(microseconds(event["time"])))
    members = {
        "install_id": text(event["install_id"]), "seq": event["seq"], "fork": text(fork), "id": text(event["id"]),
        "event": text(event["event"]["name"]), "schema": text(event.get("schema", "")), "user_id": text(event["user_id"]),
        "session_id": text(event["session_id"]), "time": time, "corrected_time": time,
        "received_at": text(time_text(received_at)), "context": text(event.get("context", {})),
        "properties": properties_of(line), "validated": "true" if validated else "false", "collector": '"c1"',
        "batch": '"0123456789abcdef0123456789abcdef"', "block": text(block), "line": text(line),
    }
    return "{" + ",".join(f'"{name}":{value}' for name, value in members.items()) + "}"


def compressed(rows):
    return zstandard.compress("".join(f"{one}\n" for one in rows).encode())


def write_block(root, block, events, numbers=()):
    """Writes the files and the manifest of a block.

    events: (line, received_at in microseconds, fork) in order.
    numbers: rows of the table `numbers` as dicts, without `block`.
    Returns the rows of both tables as texts.
    """
    files, stored = [], []
    for hour, group in itertools.groupby(sorted(events, key=lambda event: event[1]), lambda event: event[1] // 3_600_000_000):
        rows = [row(line, received_at, fork, block) for line, received_at, fork in group]
        stamp = time_text(hour * 3_600_000_000)
        files.append(_write(root, f"{layout.hour_folder(stamp[:10], stamp[11:13])}/{block}{layout.LINES}", "events", rows))
        stored += rows
    explained = []
    for day, group in itertools.groupby(sorted(numbers, key=lambda one: one["received_at"]), lambda one: one["received_at"][:10]):
        rows = [layout.json_bytes({**one, "block": block}).decode() for one in group]
        files.append(_write(root, f"numbers/dt={day}/{block}{layout.LINES}", "numbers", rows))
        explained += rows
    installs = {}
    for line, _, fork in events:
        event = json.loads(line)
        installs.setdefault((event["install_id"], fork), []).append((event["seq"], line.encode()))
    partition, number = map(int, block.split("-"))
    layout.write_file(root / layout.manifest_path(block), layout.json_bytes({
        "block": block, "partition": partition, "number": number, "stream_after": 0, "stream_through": len(events),
        "files": files,
        "installs": [
            {"install_id": install, "fork": fork, "ranges": layout.ranges(seq for seq, _ in lines), "rows": len(lines),
             "hash": layout.range_hash(line for _, line in lines)}
            for (install, fork), lines in sorted(installs.items())],
    }))
    return stored, explained


def load_folder(clickhouse, root):
    """Creates the tables in ClickHouse in this process, and inserts the rows of a folder."""
    for statement in TABLES:
        clickhouse.send(statement)
    for table, columns, pattern, kind in [
        ("events", EVENTS, f"events/*/*/*{layout.LINES}", "JSONEachRow"), ("events", EVENTS, f"events/*/*/*{layout.PARQUET}", "Parquet"),
        ("numbers", NUMBERS, f"numbers/*/*{layout.LINES}", "JSONEachRow"), ("numbers", NUMBERS, f"numbers/*/*{layout.PARQUET}", "Parquet"),
    ]:
        structure = columns.replace("'", "\\'")
        path = str(root / pattern).replace("\\", "\\\\").replace("'", "\\'")
        clickhouse.send(f"INSERT INTO {table} SELECT * FROM file('{path}', '{kind}', '{structure}')")


def _write(root, path, table, rows):
    data = compressed(rows)
    layout.write_file(root / path, data)
    return {"path": path, "table": table, "rows": len(rows), "bytes": len(data), "sha256": layout.file_sha256(root / path)}
