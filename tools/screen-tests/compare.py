"""Runs the firing rules both ways and prints what they take, as Markdown. Called by `run`."""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
STREAM = ROOT / ".build/screen-tests.jsonl"
RULES = range(1, 18)
BAR = 100
SUITES = {
    "unit tests": r"GitHubClientTests\.FiringTests",
    "tests of a screen": r"ScreenTests\.ScreenFiringTests",
}


def give_up(output, reason):
    """Ends with 70: nothing can be said about the tests."""
    print(output, file=sys.stderr)
    print(f"screen-tests: {reason}", file=sys.stderr)
    sys.exit(70)


def run(tests):
    """One run of a suite: the seconds of each rule, all its tests together; of the whole process; what failed."""
    STREAM.unlink(missing_ok=True)
    start = time.monotonic()
    done = subprocess.run(
        ["swift", "test", "--skip-build", "--disable-xctest", "--no-parallel", "--filter", tests,
         "--event-stream-output-path", str(STREAM), "--event-stream-version", "0"],
        cwd=ROOT, env={**os.environ, "TRACKING_SCREEN_TESTS": "1"}, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    whole = time.monotonic() - start
    if not STREAM.exists():
        give_up(done.stdout, "the tests did not run")
    rules, started, seconds, seen, failed = {}, {}, dict.fromkeys(RULES, 0.0), set(), set()
    for line in STREAM.read_text().splitlines():
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test":
            named = re.match(r"(\d+): ", payload.get("displayName", ""))
            if named:
                rules[payload["id"]] = int(named[1])
            continue
        rule = rules.get(payload.get("testID"))
        if rule is None:
            continue
        at = payload["instant"]["absolute"]
        if payload["kind"] == "testStarted":
            started[payload["testID"]] = at
        elif payload["kind"] == "testEnded":
            seconds[rule] += at - started[payload["testID"]]
            seen.add(rule)
        elif payload["kind"] == "issueRecorded" and not payload["issue"].get("isKnown"):
            failed.add(rule)
    if done.returncode == 0 and seen != set(RULES):
        give_up(done.stdout, f"rules without a test that ran: {sorted(set(RULES) - seen)}")
    return seconds, whole, sorted(failed) if done.returncode or failed else None, done.stdout


def shown(seconds):
    return f"{seconds * 1000:.2f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def ninth_decile(values):
    """Nine of ten are at most this."""
    return sorted(values)[-(-len(values) * 9 // 10) - 1]


def main():
    runs = int(sys.argv[1])
    totals = {name: [] for name in SUITES}
    wholes = {name: [] for name in SUITES}
    singles = {name: {rule: [] for rule in RULES} for name in SUITES}
    failures = {name: 0 for name in SUITES}
    for number in range(1, runs + 1):
        for name, tests in SUITES.items():
            seconds, whole, failed, output = run(tests)
            if failed is not None:
                failures[name] += 1
                print(output, file=sys.stderr)
                print(f"screen-tests: run {number} of the {name} failed: rules {failed}", file=sys.stderr)
                continue
            print(f"run {number} of {runs}, {name}: {shown(sum(seconds.values()))}", file=sys.stderr, flush=True)
            totals[name].append(sum(seconds.values()))
            wholes[name].append(whole)
            for rule in RULES:
                singles[name][rule].append(seconds[rule])
    if not all(totals.values()):
        give_up("", "no run passed: there is nothing to compare")

    unit, screen = SUITES
    ratio = statistics.median(totals[screen]) / statistics.median(totals[unit])
    print(f"| {runs} runs of each | {unit} | {screen} |\n|---|---|---|")
    rows = [
        ("all 17 rules, median", statistics.median, totals), ("all 17 rules, nine of ten runs", ninth_decile, totals),
        ("all 17 rules, slowest run", max, totals), ("whole process, median", statistics.median, wholes),
    ]
    for title, measure, times in rows:
        print(f"| {title} | {shown(measure(times[unit]))} | {shown(measure(times[screen]))} |")
    print(f"| flaky runs | {failures[unit]} | {failures[screen]} |")
    print(f"\n| rule | {unit} | {screen} | times |\n|---|---|---|---|")
    for rule in RULES:
        one, other = (statistics.median(singles[name][rule]) for name in (unit, screen))
        print(f"| {rule} | {shown(one)} | {shown(other)} | {other / one:,.0f} |")
    is_met = ratio >= BAR and failures[unit] == 0
    print(f"\nThe unit tests are {ratio:,.0f} times as fast (bar: {BAR}); {failures[unit]} of their runs failed (bar: 0): "
          f"{'ok' if is_met else 'MISSED'}")
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    main()
