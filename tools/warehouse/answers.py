#!/usr/bin/env python3
"""Prints the same answers from ClickHouse, DuckDB, Spark and trackctl side by side: sessions, a funnel, active users.

  tools/warehouse/answers.py --folder DIR [--clickhouse URL] [--trackctl PROGRAM --log FILE] [--without-spark]
                             [--funnel 'launch > search > page-view:repository-detail'] [--by user_id] [--within SECONDS]

--folder is the loader's folder, for DuckDB and Spark. --clickhouse is such as http://127.0.0.1:8123 (database `tracking`; append
?database=NAME for another), or `in-process`, to load the folder into a ClickHouse in this process. --log is an event log, or lines in order of time, with the same events.

A figure that trackctl does not have is shown as -. trackctl rounds lengths to two units, and they are compared in that form.
Exit codes: 0 all answers are equal; 1 they differ, and the differences are listed; 64 wrong arguments; 69 an engine failed.
"""

import argparse
import datetime
import pathlib
import sys

import engines
import fixture
import trackctl


def questions(options):
    """Two functions that return a dict of labels to figures: for an engine, and for trackctl with (period, start) pairs."""
    steps = [step.strip() for step in options.funnel.split(">")]
    funnel = {"steps": steps, "by": options.by, "within_seconds": options.within}

    def of_engine(engine):
        sessions = engine.run("sessions")[0]
        found = {f"sessions: {name.removesuffix('_seconds').replace('_', ' ') + (' length' if name.endswith('_seconds') else '')}":
                 trackctl.duration(value) if name.endswith("_seconds") else value for name, value in sessions.items()}
        found |= {f"funnel: {row['step']}. {row['name']}": row["units"] for row in engine.run("funnel", **funnel)}
        found |= {f"active users: {row['period']} from {row['start']}": row["users"] for row in engine.run("active_users")}
        return found

    def of_trackctl(log, periods):
        sessions = log.sessions()
        found = {"sessions: sessions": sessions["sessions"], "sessions: median length": sessions["median_seconds"],
                 "sessions: longest length": sessions["longest_seconds"], "sessions: median events": sessions["median_events"],
                 "sessions: most events": sessions["most_events"]}
        found |= {f"funnel: {row['step']}. {row['name']}": row["units"] for row in log.funnel(**funnel)}
        found |= {f"active users: {period} from {start}": log.users(start, end_of(period, start)) for period, start in periods}
        return found
    return of_engine, of_trackctl


def end_of(period, start):
    """The first day after a period, as text."""
    day = datetime.date.fromisoformat(start)
    if period == "month":
        return (day.replace(day=1) + datetime.timedelta(days=31)).replace(day=1).isoformat()
    return (day + datetime.timedelta(days=7 if period == "week" else 1)).isoformat()


def in_process(folder):
    engine = engines.ClickHouseInProcess()
    fixture.load_folder(engine, pathlib.Path(folder).resolve())
    return engine


def collect(options):
    """The answers of each engine, by its name."""
    of_engine, of_trackctl = questions(options)
    kinds = []
    if options.clickhouse:
        kinds.append((in_process, options.folder) if options.clickhouse == "in-process" else (engines.ClickHouse, options.clickhouse))
    kinds += [(engines.DuckDB, options.folder)] + ([] if options.without_spark else [(engines.Spark, options.folder)])
    answers = {}
    for kind, location in kinds:
        engine = kind(location)
        answers[engine.name] = of_engine(engine)
        engine.close()
    if options.log:
        periods = [label.removeprefix("active users: ").split(" from ") for label in answers["DuckDB"] if label.startswith("active")]
        answers["trackctl"] = of_trackctl(trackctl.Trackctl(options.trackctl, options.log), periods)
    return answers


def differences(answers):
    """Labels whose values differ, as sentences. Only trackctl may lack a figure."""
    found = []
    for label in dict.fromkeys(label for values in answers.values() for label in values):
        values = {name: own.get(label) for name, own in answers.items() if label in own or name != "trackctl"}
        if len(set(values.values())) > 1:
            found.append(f"{label}: " + ", ".join(f"{name} {value}" for name, value in values.items()))
    return found


def table(answers):
    labels = list(dict.fromkeys(label for values in answers.values() for label in values))
    rows = [["", *answers]] + [[label, *(str(values.get(label, "-")) for values in answers.values())] for label in labels]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join(
        "  ".join([row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]).rstrip() for row in rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", required=True)
    parser.add_argument("--clickhouse", metavar="URL")
    parser.add_argument("--trackctl", metavar="PROGRAM")
    parser.add_argument("--log", metavar="FILE")
    parser.add_argument("--without-spark", action="store_true")
    parser.add_argument("--funnel", default="launch > search > page-view:repository-detail", help="1 to 6 steps (default: %(default)s)")
    parser.add_argument("--by", choices=["user_id", "session_id"], default="user_id")
    parser.add_argument("--within", type=int, default=3600, help="time limit of the funnel in seconds; 0 for none (default: 3600)")
    try:
        options = parser.parse_args()
        if (options.log is None) != (options.trackctl is None):
            parser.error("pass --trackctl and --log together")
    except SystemExit as error:
        return 64 if error.code else 0
    try:
        answers = collect(options)
    except (engines.EngineError, trackctl.TrackctlError) as error:
        print(f"answers: {error}", file=sys.stderr)
        return 69
    print(table(answers))
    wrong = differences(answers)
    for text in wrong:
        print(f"differs: {text}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
