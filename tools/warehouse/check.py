#!/usr/bin/env python3
"""Checks that the queries give the same rows by each engine, by trackctl and by Python, for real and for hostile lines.

  tools/warehouse/check.py --trackctl PROGRAM --lines FILE [--schemas DIR] [--events N] [--without-spark]

Writes the lines of FILE and hostile lines (hostile.py) into a folder and into ClickHouse in this process, compacts a part of the
folder, and runs each query. Then breaks each query on purpose: a check that does not notice is an error.

Exit codes: 0 passed; 1 rows differ, or a broken query was not noticed; 64 wrong arguments.
"""

import argparse
import datetime
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time

import compaction
import engines
import fixture
import hostile
import reference
import trackctl

HERE = pathlib.Path(__file__).resolve().parent
RECEIVED = 1_420_070_400_000_000
HOUR = 3_600_000_000
FUNNELS = [
    {"steps": ["launch", "search", "page-view:repository-detail"], "by": "user_id", "within_seconds": 3600},
    {"steps": ["launch", "search", "page-view:repository-detail", "search", "background", "launch"], "by": "session_id",
     "within_seconds": 600},
    {"steps": ["hostile-start", "hostile-view", "hostile-view", "hostile-end"], "by": "user_id", "within_seconds": 60},
    {"steps": ["hostile-start", "hostile-view:detail", "hostile-end"], "by": "session_id", "within_seconds": 0},
    {"steps": ["hostile-view:7", "hostile-search"], "by": "user_id", "within_seconds": 0},
]
HASHES = [{"first": 1, "last": 9_007_199_254_740_991, "block": ""}, {"first": 3, "last": 5000, "block": ""},
          {"first": 1, "last": 9_007_199_254_740_991, "block": "1-1"}]
# (query, text in the statement, what to write instead, dialects that have the text; None for all).
BREAKS = [
    ("events_per_name", "DISTINCT user_id", "DISTINCT session_id", ["duckdb", "spark"]),
    ("events_per_name", "uniqExact(user_id)", "uniqExact(session_id)", ["clickhouse"]),
    ("events_per_name", "length(line)", "length(id)", ["clickhouse"]),
    ("events_per_name", "strlen(line)", "length(line)", ["duckdb"]),
    ("events_per_name", "octet_length(line)", "length(line)", ["spark"]),
    ("sessions", "total + 1", "total + total", None),
    ("sessions", "total * 9 + 9", "total * 9 - 9", None),
    ("sessions", "(min(time))", "(max(time))", ["clickhouse", "duckdb"]),
    ("sessions", "min(time)", "max(time)", ["spark"]),
    ("funnel", "1 PRECEDING", "CURRENT ROW", None),
    ("funnel", "- earlier2 <= time_limit", "- earlier2 < time_limit", None),
    ("funnel", "max(start2)", "min(start2)", None),
    ("funnel", "= 'String'", "!= 'Object'", ["clickhouse"]),
    ("funnel", "= 'VARCHAR'", "!= 'OBJECT'", ["duckdb"]),
    ("funnel", "= 'STRING'", "!= 'OBJECT'", ["spark"]),
    ("funnel", "THEN user_id ELSE session_id", "THEN user_id ELSE user_id", ["duckdb", "spark"]),
    ("funnel", "user_id, session_id)", "user_id, user_id)", ["clickhouse"]),
    ("retention", "least(31", "least(30", None),
    ("retention", "min(active_day) AS cohort", "max(active_day) AS cohort", None),
    ("active_users", "'WEEK'", "'QUARTER'", ["spark"]),
    ("active_users", "'week', active_day", "'quarter', active_day", ["duckdb"]),
    ("active_users", "1 - toDayOfWeek", "0 - toDayOfWeek", ["clickhouse"]),
    ("rolling_users", "least(next_day, ", "greatest(next_day, ", None),
    ("plan_coverage", "max(time) AS last_time", "min(time) AS last_time", None),
    ("plan_coverage", "'#') + 1", "'#') + 2", None),
    ("completeness", "WHEN erased > 0", "WHEN erased > 99", None),
    ("completeness", "WHEN opted_out > 0", "WHEN opted_out > 99", None),
    ("completeness", "WHEN held > 0 THEN 'held'\n                WHEN forked", "WHEN forked > 0 THEN 'forked'\n                WHEN forked",
     None),
    ("completeness", "fork = '' AND seq >= 1", "seq >= 1", None),
    ("completeness", ", 1 AS number, 'none'", ", 2 AS number, 'none'", None),
    ("completeness", "greatest(", "least(", None),
    ("range_hashes", "fork = '' AND", "fork != '-' AND", None),
    ("range_hashes", "1, 8)))", "2, 8)))", ["clickhouse"]),
    ("range_hashes", "digest[1:2]", "digest[2:3]", ["duckdb"]),
    ("range_hashes", "substr(digest, 1, 2)", "substr(digest, 2, 2)", ["spark"]),
]
DIALECTS = {"ClickHouse": "clickhouse", "DuckDB": "duckdb", "Spark": "spark"}


class Data:
    """The lines, as a folder, as a file in order of time for trackctl, and as rows for ClickHouse."""

    def __init__(self, work, lines, most=None):
        self.folder, self.log = work / "folder", work / "log.jsonl"
        self.folder.mkdir()
        real = [line for line in pathlib.Path(lines).read_text(encoding="utf-8").split("\n") if line][:most]
        events = [(line, RECEIVED + index * HOUR // len(real), "") for index, line in enumerate(real)]
        odd = [(line, RECEIVED + (23 + index % 3) * HOUR, fork) for index, (line, fork) in enumerate(hostile.events())]
        self.numbers = hostile.numbers()
        self.rows, self.number_rows, self.events, self.blocks = [], [], [], []
        size = max(1, len(real) // 5)
        blocks = [(f"3-{index // size + 1}", events[index:index + size], []) for index in range(0, len(events), size)]
        for block, own, numbers in [*blocks, ("1-1", odd[:100], self.numbers[:9]), ("1-2", odd[100:], self.numbers[9:])]:
            rows, number_rows = fixture.write_block(self.folder, block, own, numbers)
            self.rows += rows
            self.number_rows += number_rows
            self.events += [(line, fork) for line, _, fork in own]
            self.blocks += [block] * len(own)
        self.reference = reference.Reference(self.events, self.numbers)
        order = sorted(self.reference.events, key=lambda one: (one[0]["microseconds"], one[0]["install_id"], int(one[0]["seq"]), one[2]))
        self.log.write_text("".join(f"{line}\n" for _, line, _ in order), encoding="utf-8")

    def load(self, clickhouse):
        for statement in fixture.TABLES:
            clickhouse.send(statement)
        clickhouse.send("INSERT INTO events FORMAT JSONEachRow\n" + "\n".join(self.rows))
        clickhouse.send("INSERT INTO numbers FORMAT JSONEachRow\n" + "\n".join(self.number_rows))


class Expectations:
    """The rows that each query must give: a list of (query, parameters, rows)."""

    def __init__(self, data, program, schemas):
        log, known = trackctl.Trackctl(program, data.log), data.reference
        plan = subprocess.run([sys.executable, HERE / "plan", schemas], capture_output=True, check=True, text=True).stdout
        plan = [*json.loads(plan), "never-seen/1-0-0", "never-seen/1-0-0#it's \"x\" \\ é#\t", "hostile-view/1-0-0#"]
        coverage = known.plan_coverage(plan)
        self._compare_validation(log, schemas, coverage)
        self.all = [("events_per_name", {}, log.events_per_name()), ("sessions", {}, self._sessions(log, known))]
        self.all += [("funnel", funnel, log.funnel(**funnel)) for funnel in FUNNELS]
        self.all += [("retention", {}, self._retention(log)), ("active_users", {}, self._active_users(log, known))]
        self.all += [("rolling_users", {"days": days}, known.rolling_users(days)) for days in (1, 7, 28)]
        self.all += [("plan_coverage", {"plan": plan}, coverage), ("completeness", {}, known.completeness())]
        self.all += [("range_hashes", options, known.range_hashes(**options, blocks=data.blocks)) for options in HASHES]

    @staticmethod
    def _sessions(log, known):
        seconds, events = known.p90()
        return [{**log.sessions(), "p90_seconds": trackctl.duration(seconds), "p90_events": events}]

    @staticmethod
    def _retention(log):
        cells = log.retention()
        # The sums over all cohorts, of the cells that the table has.
        cohorts = sorted({cohort for cohort, _ in cells})
        rows = [{"cohort": cohort, "day": day, "users": users, "of": cells[cohort, 0]} for (cohort, day), users in cells.items()]
        for day in range(32):
            found = [cohort for cohort in cohorts if (cohort, day) in cells]
            if found:
                rows.append({"cohort": None, "day": day, "users": sum(cells[cohort, day] for cohort in found),
                             "of": sum(cells[cohort, 0] for cohort in found)})
        return sorted(rows, key=lambda row: (row["cohort"] or "", row["day"]))

    @staticmethod
    def _active_users(log, known):
        days = {datetime.date(1970, 1, 1) + datetime.timedelta(days=event["day"]) for event, _, _ in known.events}
        spans = {("day", day, day + datetime.timedelta(days=1)) for day in days}
        for day in days:
            monday = day - datetime.timedelta(days=day.weekday())
            first = day.replace(day=1)
            spans |= {("week", monday, monday + datetime.timedelta(days=7)),
                      ("month", first, (first + datetime.timedelta(days=31)).replace(day=1))}
        return [{"period": period, "start": start.isoformat(), "users": log.users(start, end)}
                for period, start, end in sorted(spans)]

    @staticmethod
    def _compare_validation(log, schemas, coverage):
        """The events of each schema of the plan, which trackctl counts, too."""
        counted = {event["event"]: event["lines"] for event in log.validation(schemas)["events"] if event["in_plan"]}
        found = {row["schema"]: row["events"] for row in coverage if row["property"] is None and row["schema"] in counted}
        if found != counted:
            raise SystemExit(f"check: trackctl validate counts {counted}, the reference {found}")


def normal(query, rows):
    """The rows in the form of trackctl's figures: lengths of sessions are rounded texts there."""
    if query != "sessions":
        return rows
    return [{name: trackctl.duration(value) if name.endswith("_seconds") and isinstance(value, int) else value
             for name, value in row.items()} for row in rows]


def difference(query, expected, found):
    """The first difference as text; None if the rows are equal."""
    found = normal(query, found)
    for position, (left, right) in enumerate(zip(expected, found), 1):
        if left != right:
            names = [name for name in {**left, **right} if left.get(name, "absent") != right.get(name, "absent")]
            return f"row {position}: " + "; ".join(
                f"{name}: expected {left.get(name)!r}, got {right.get(name)!r}" for name in names)
    if len(expected) != len(found):
        return f"expected {len(expected)} rows, got {len(found)}"
    return None


def compare(engine, label, expectations, failures):
    for query, parameters, expected in expectations:
        started = time.monotonic()
        try:
            wrong = difference(query, expected, engine.run(query, **parameters))
        except engines.EngineError as error:
            wrong = f"error: {str(error)[:500]}"
        print(f"{'ok   ' if wrong is None else 'WRONG'} {label:22} {query:16} {(time.monotonic() - started) * 1000:7.0f} ms"
              + (f"  {wrong}" if wrong else ""), flush=True)
        if wrong:
            failures.append(f"{label}: {query}: {wrong}")


def check_breaks(engine, expectations, work, failures):
    """Runs each query with an error in it; notes errors that no expectation notices."""
    dialect, count, done = DIALECTS[engine.name], 0, set()
    for index, (query, text, instead, dialects) in enumerate(BREAKS):
        if dialects is not None and dialect not in dialects:
            continue
        # Spark is slow to plan a query: one error for each.
        if dialect == "spark" and query in done:
            continue
        done.add(query)
        broken = work / f"broken-{dialect}-{index}"
        shutil.copytree(engines.SQL / dialect, broken / dialect)
        statement = (broken / dialect / f"{query}.sql").read_text(encoding="utf-8")
        if text not in statement:
            failures.append(f"{dialect}/{query}.sql has no {text!r} to break: update BREAKS")
            continue
        (broken / dialect / f"{query}.sql").write_text(statement.replace(text, instead), encoding="utf-8")
        engine.sql = broken
        count += 1
        if not any(_is_noticed(engine, *one) for one in expectations if one[0] == query):
            failures.append(f"{dialect}/{query}.sql with {instead!r} instead of {text!r} gives the expected rows: the check cannot fail")
    engine.sql = engines.SQL
    print(f"{count} broken queries run by {engine.name}", flush=True)


def _is_noticed(engine, query, parameters, expected):
    try:
        return difference(query, expected, engine.run(query, **parameters)) is not None
    except engines.EngineError:
        # An error is noticed as well, but it shows a mistake in BREAKS rather than a check.
        return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--trackctl", required=True, help="path of trackctl")
    parser.add_argument("--lines", required=True, help="lines in order of time, such as the demo's events.jsonl")
    parser.add_argument("--schemas", default=HERE.parent.parent / "Schemas", help="folder of the plan (default: Schemas)")
    parser.add_argument("--events", metavar="N", type=int, help="use the first N lines of FILE; all hostile lines (default: all)")
    parser.add_argument("--without-spark", action="store_true", help="skip Spark, which needs Java and half of the time")
    try:
        options = parser.parse_args()
    except SystemExit as error:
        return 64 if error.code else 0
    failures = []
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        data = Data(work, options.lines, options.events)
        expectations = Expectations(data, options.trackctl, options.schemas).all
        print(f"{len(data.events):,} events, {len(expectations)} expectations", flush=True)
        clickhouse = engines.ClickHouseInProcess()
        data.load(clickhouse)
        compare(clickhouse, "ClickHouse", expectations, failures)
        check_breaks(clickhouse, expectations, work, failures)
        clickhouse.close()
        duckdb = engines.DuckDB(data.folder)
        compare(duckdb, "DuckDB, lines", expectations, failures)
        duckdb.close()
        # The first hour of events and the first day of numbers only, so that both kinds of files are present.
        with_parquet = compaction.Compaction(data.folder, grace=0, report=print)
        if with_parquet.run(older_than=0, now=(RECEIVED + HOUR) / 1e6):
            failures.append("compaction skipped an hour")
        for pattern in ("events/*/*/*", "numbers/*/*"):
            if len({path.suffix for path in data.folder.glob(pattern)}) != 2:
                failures.append(f"{pattern} has only one kind of files: the check of Parquet files shows nothing")
        duckdb = engines.DuckDB(data.folder)
        compare(duckdb, "DuckDB, lines, Parquet", expectations, failures)
        check_breaks(duckdb, expectations, work, failures)
        duckdb.close()
        if not options.without_spark:
            spark = engines.Spark(data.folder)
            spark.session.catalog.cacheTable("events")
            compare(spark, "Spark, lines, Parquet", expectations, failures)
            check_breaks(spark, expectations, work, failures)
            spark.close()
        with_parquet.run(older_than=0)
        duckdb = engines.DuckDB(data.folder)
        compare(duckdb, "DuckDB, Parquet", expectations, failures)
        duckdb.close()
    print("passed" if not failures else "\n".join(["failed:", *failures]))
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
