"""Runs the firing rules as unit tests and as screen tests, and prints their times as Markdown. Called by `run`.

Each run is a separate process that tests the rules twice. The first pass includes work that a process does once, such as type lookups
and the compilation of schemas. In an app's test run, this affects only the first few tests, so the second pass is compared; the
first is printed next to it.
"""

import functools
import json
import os
import re
import statistics
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
STREAM = ROOT / ".build/screen-tests.jsonl"
TIMES = ROOT / ".build/screen-tests-times.jsonl"
RULES = range(1, 18)
BAR = 100
PASSES = 2
SUITES = {
    "unit tests": r"GitHubClientTests\.FiringTests",
    "screen tests": r"ScreenTests\.ScreenFiringTests",
}


def give_up(output, reason):
    """Ends with 70: the tests could not be measured."""
    print(output, file=sys.stderr)
    print(f"screen-tests: {reason}", file=sys.stderr)
    sys.exit(70)


def rule_of(name):
    """The number of the rule at the start of a test's name."""
    named = re.match(r"(\d+): ", name)
    return int(named[1]) if named else None


def run(tests):
    """Runs a suite. Returns the seconds in the bodies of each rule's tests for each pass; the seconds of all passes including the overhead
    of Swift Testing; the seconds of the process; the failed rules; and the output."""
    STREAM.unlink(missing_ok=True)
    TIMES.unlink(missing_ok=True)
    start = time.monotonic()
    # `swift test` does not pass the number of repetitions on.
    done = subprocess.run(
        [bundle(), "--testing-library", "swift-testing", "--no-parallel", "--filter", tests, "--repetitions", str(PASSES),
         "--event-stream-output-path", str(STREAM), "--event-stream-version", "0"],
        cwd=ROOT, env={**os.environ, "TRACKING_SCREEN_TESTS": "1", "TRACKING_TEST_TIMES": str(TIMES)},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    whole = time.monotonic() - start
    if not STREAM.exists() or not TIMES.exists():
        give_up(done.stdout, "the tests did not run")
    rules, started, around, failed = {}, {}, 0.0, set()
    for line in STREAM.read_text().splitlines():
        record = json.loads(line)
        payload = record["payload"]
        if record["kind"] == "test":
            rule = rule_of(payload.get("displayName", ""))
            if rule is not None:
                rules[payload["id"]] = rule
            continue
        rule = rules.get(payload.get("testID"))
        if rule is None:
            continue
        at = payload["instant"]["absolute"]
        if payload["kind"] == "testStarted":
            started[payload["testID"]] = at
        elif payload["kind"] == "testEnded":
            around += at - started[payload["testID"]]
        elif payload["kind"] == "issueRecorded" and not payload["issue"].get("isKnown"):
            failed.add(rule)
    if done.returncode or failed:
        return None, around, whole, sorted(failed), done.stdout
    times = [json.loads(line) for line in TIMES.read_text().splitlines()]
    passes = [rules_of(times[number * len(times) // PASSES:(number + 1) * len(times) // PASSES]) for number in range(PASSES)]
    if len(times) % PASSES or any(set(seconds) != set(RULES) for seconds in passes):
        give_up(done.stdout, f"not every rule has a test that ran {PASSES} times")
    return passes, around, whole, None, done.stdout


@functools.cache
def bundle():
    """The test program."""
    return ROOT / ".build/debug/swift-trackingPackageTests.xctest"


def rules_of(times):
    """The seconds of each rule, summed over its tests."""
    seconds = {}
    for timed in times:
        rule = rule_of(timed["test"])
        if rule is not None:
            seconds[rule] = seconds.get(rule, 0) + timed["seconds"]
    return seconds


def shown(seconds):
    return f"{seconds * 1000:.2f} ms" if seconds < 0.1 else f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.2f} s"


def ninth_decile(values):
    """The 90th percentile."""
    return sorted(values)[-(-len(values) * 9 // 10) - 1]


def main():
    runs = int(sys.argv[1])
    firsts, totals, arounds, wholes = ({name: [] for name in SUITES} for _ in range(4))
    singles = {name: {rule: [] for rule in RULES} for name in SUITES}
    failures = {name: 0 for name in SUITES}
    for number in range(1, runs + 1):
        for name, tests in SUITES.items():
            passes, around, whole, failed, output = run(tests)
            if passes is None:
                failures[name] += 1
                print(output, file=sys.stderr)
                print(f"screen-tests: run {number} of the {name} failed: rules {failed}", file=sys.stderr)
                continue
            first, last = passes[0], passes[-1]
            print(f"run {number} of {runs}, {name}: first pass {shown(sum(first.values()))}, "
                  f"second {shown(sum(last.values()))}", file=sys.stderr, flush=True)
            firsts[name].append(sum(first.values()))
            totals[name].append(sum(last.values()))
            arounds[name].append(around)
            wholes[name].append(whole)
            for rule in RULES:
                singles[name][rule].append(last[rule])
    if not all(totals.values()):
        give_up("", "no run passed, so there is nothing to compare")

    unit, screen = SUITES

    def ratio(times):
        return statistics.median(times[screen]) / statistics.median(times[unit])

    print(f"| {runs} runs of each, {PASSES} passes a run | {unit} | {screen} | times |\n|---|---|---|---|")
    rows = [
        ("all 17 rules, second pass, median", statistics.median, totals),
        ("second pass, nine of ten runs", ninth_decile, totals), ("second pass, slowest run", max, totals),
        ("all 17 rules, first pass, median", statistics.median, firsts),
        ("both passes with the overhead of Swift Testing, median", statistics.median, arounds),
        ("whole process with both passes, median", statistics.median, wholes),
    ]
    for title, measure, times in rows:
        one, other = measure(times[unit]), measure(times[screen])
        print(f"| {title} | {shown(one)} | {shown(other)} | {other / one:,.0f} |")
    print(f"| flaky runs | {failures[unit]} | {failures[screen]} | |")
    print(f"\n| rule, second pass | {unit} | {screen} | times |\n|---|---|---|---|")
    for rule in RULES:
        one, other = (statistics.median(singles[name][rule]) for name in (unit, screen))
        print(f"| {rule} | {shown(one)} | {shown(other)} | {other / one:,.0f} |")
    is_met = ratio(totals) >= BAR and failures[unit] == 0
    print(f"\nThe unit tests are {ratio(totals):,.0f} times as fast (bar: {BAR}), in a process's first pass "
          f"{ratio(firsts):,.0f} times; {failures[unit]} of their runs failed (bar: 0): {'ok' if is_met else 'MISSED'}")
    sys.exit(0 if is_met else 1)


if __name__ == "__main__":
    main()
