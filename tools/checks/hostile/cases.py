"""Hostile and clumsy clients: what one of them may cost, and that the others don't notice it.

Each case runs against its own collector. It fails by counts: statuses, allocated memory, bytes on disk, ranges in a receipt,
bystanders' errors. CPU is compared with that of an ordinary batch of 100 events.
"""

import collections
import concurrent.futures
import functools
import importlib
import json
import os
import sys
import time

from client import UNLIMITED, Collector, Cost, Phone, answers, expect, fail, header, scratch

Case = collections.namedtuple("Case", "name options long function")
CASES = []
# The most that a request may allocate, in MiB, with what the allocator and the caches keep.
MEMORY = 48


def case(name, *options, long=False):
    """Registers a case. A long one runs only without `--short`."""

    def register(function):
        CASES.append(Case(name, options or UNLIMITED, long, function))
        return function

    return register


def run(only, short):
    """Runs the cases whose name contains a text, some of them simultaneously, since many mostly wait."""
    for module in ("hostile", "clumsy", "details"):
        importlib.import_module(module)
    chosen = [case for case in CASES if only in case.name and not (case.long and short)]
    if not chosen:
        sys.exit(f"hostile: no case has '{only}' in its name; the cases are:\n" + "\n".join(case.name for case in CASES))
    ordinary()
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        list(pool.map(run_case, chosen))


def run_case(case):
    name = case.name
    with scratch() as folder:
        if "FOLDER/schemas" in case.options:
            slow_schema(f"{folder}/schemas")
        try:
            collector = Collector(folder, [option.replace("FOLDER", folder) for option in case.options])
        except SystemExit as error:
            fail(f"{name}: {str(error)[:300]}")
            return
        try:
            figures = case.function(collector)
        except Exception as error:  # the next cases run, too
            fail(f"{name}: {type(error).__name__}: {error}")
            figures = "ended"
        print(f"  {name}: {figures}", flush=True)
        if not collector.is_running():
            fail(f"{name}: the collector ended: {collector.process.returncode}")
        collector.kill()


def slow_schema(folder):
    """A plan with an event whose pattern backtracks."""
    os.makedirs(f"{folder}/events/slow")
    with open(f"{folder}/events/slow/1-0-0.json", "w") as file:
        value = {"type": "object", "properties": {"text": {"type": "string", "pattern": r"^(?=((a|aa)+)+$)\1$"}}}
        json.dump({
            "$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://example.com/events/slow/1-0-0.json", "title": "slow",
            "type": "object", "required": ["name", "value"], "properties": {"name": {"const": "slow"}, "value": value}}, file)


@functools.cache
def ordinary():
    """The CPU seconds of a batch of 100 events."""
    with scratch() as folder:
        collector, phone = Collector(folder, UNLIMITED), Phone("ordinary")
        for _ in range(2):  # the first time fills caches
            with Cost(collector) as cost, collector.connect() as connection:
                for number in range(30):
                    connection.sendall(phone.request(collector.key, phone.body(100), close=number == 29))
                expect("an ordinary batch", answers(connection)[0], {200})
        collector.kill()
        return cost.cpu / 30


def at_most(name, found, limit):
    if found > limit:
        fail(f"{name}: {found:.6g}, more than {limit:.6g}")


def check(name, cost, batches, memory=MEMORY, disk=None):
    """Compares a cost with its limits: CPU in ordinary batches, memory and disk in MiB."""
    at_most(f"{name}, CPU in ordinary batches", cost.cpu / ordinary(), batches)
    at_most(f"{name}, MiB allocated", cost.memory, memory)
    if disk is not None:
        at_most(f"{name}, MiB on disk", cost.disk, disk)
    return f"{cost}, the CPU of {cost.cpu / ordinary():.0f} batches"


def expect_problem(name, answer, status, words=""):
    """Checks that a request is rejected, with a problem that names the limit."""
    found, problem = answer
    if found != status or words not in (problem.get("detail", "") if isinstance(problem, dict) else ""):
        fail(f"{name}: {found} {str(problem)[:200]}, not {status} with '{words}'")


def accept(name, collector, *lines, **options):
    """Sends a batch that must be accepted."""
    expect(name, [collector.deliver(*lines, **options)[0]], {200})


def alternating(count, reason="erased", first=1):
    """Ranges of one number each, with a gap after each."""
    return [{"first": first + 2 * index, "last": first + 2 * index, "reason": reason} for index in range(count)]


def track(collector, number, key=None):
    return collector.post("/v1/batch", {"batch": [{"type": "track", "event": "x", "messageId": f"m{number}"}]}, key=key)[0]


def held(install, first, last, **members):
    """A header that announces numbers without their events."""
    return header(install, first, last, missing=[{"first": last, "last": last, "reason": "held"}], **members)


def eventually(found, seconds=20):
    """Waits until a function returns a true value, and returns its last value."""
    deadline = time.monotonic() + seconds
    while not (value := found()) and time.monotonic() < deadline:
        time.sleep(0.3)
    return value
