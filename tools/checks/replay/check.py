#!/usr/bin/env python3
"""Checks what trackctl replay promises: see `run`."""
import collections
import json
import os
import pathlib
import random
import re
import signal
import subprocess
import sys
import tempfile
import time

import sample_lines

RATE = 10_000
EVENTS = 200_000
KILLS = 10
MEMORY_KIB = 64 << 10


class Collector:
    def __init__(self, script, log, *options):
        self.log = log
        self.process = subprocess.Popen(
            [sys.executable, script, str(log), *options], stdout=subprocess.PIPE, text=True)
        self.url = f"http://127.0.0.1:{self.process.stdout.readline().strip()}/events"
        # The output for each request is discarded: the log has more detail.
        self.drain = subprocess.Popen(["cat"], stdin=self.process.stdout, stdout=subprocess.DEVNULL)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.drain.wait()

    def requests(self):
        with open(self.log, encoding="utf-8") as log:
            for text in log:
                yield json.loads(text)


def fail(message):
    sys.exit(f"replay-check: {message}")


def check_rate(trackctl, script, events, folder):
    with Collector(script, folder / "rate.log", "--bare") as collector:
        run = subprocess.run(
            [trackctl, "replay", events, "--to", collector.url, "--rate", f"{RATE}/s"],
            capture_output=True, text=True)
        requests = list(collector.requests())
    print(run.stderr, end="")
    said = re.search(r"^([0-9,]+) events/s; late by", run.stderr, re.M)
    if run.returncode != 0 or not said:
        fail(f"the replay ended with {run.returncode}")
    said = int(said[1].replace(",", ""))
    # The receiver's own view: what came after the first second, until the last batch.
    begin = min(request["at"] for request in requests) + 1
    late = [request for request in requests if request["at"] > begin]
    seen = sum(request["events"] for request in late[:-1]) / (late[-1]["at"] - late[0]["at"])
    print(f"rate: {RATE} events/s requested, {said} reported, {seen:.0f} measured by the receiver in {len(requests)} batches")
    if sum(request["events"] for request in requests) != EVENTS:
        fail("the receiver did not get every event exactly once")
    for name, rate in [("reported", said), ("measured", seen)]:
        if abs(rate - RATE) > RATE / 100:
            fail(f"the {name} rate differs by more than 1 %")


def check_kills(trackctl, script, events, folder):
    chance = random.Random(1)
    state = folder / "state"
    with Collector(script, folder / "kills.log") as collector:
        command = [
            trackctl, "replay", events, "--to", collector.url, "--rate", f"{RATE}/s", "--resume", str(state)]
        for _ in range(KILLS):
            run = subprocess.Popen(command, stderr=subprocess.DEVNULL)
            time.sleep(chance.uniform(0.2, 1.5))
            run.send_signal(signal.SIGKILL)
            if run.wait() != -signal.SIGKILL:
                fail("the replay ended before it could be killed")
        last = subprocess.run(command, capture_output=True, text=True)
        if last.returncode != 0:
            fail(f"the last run ended with {last.returncode}: {last.stderr}")
        bodies, times = collections.defaultdict(set), collections.Counter()
        for request in collector.requests():
            bodies[request["key"]].add(request["body"])
            times[request["key"]] += 1
    if any(len(same) > 1 for same in bodies.values()):
        fail("a batch was resent with a different body")
    received = sorted(text for same in bodies.values() for body in same for text in body.splitlines())
    with open(events, encoding="utf-8") as sent:
        if received != sorted(sent.read().splitlines()):
            fail("events are missing, or are in two batches")
    again = sum(count - 1 for count in times.values())
    print(f"kills: {KILLS}, all {EVENTS} events arrived, {again} batches were resent, each identical")


def check_memory(trackctl, script, lines, folder):
    block = "".join(sample_lines.line(number) for number in range(10_000)).encode()
    with Collector(script, folder / "memory.log", "--bare") as collector:
        for target, count in [("null:", lines), (collector.url, min(lines, 1_000_000))]:
            begin = time.monotonic()
            run = subprocess.Popen(
                [trackctl, "replay", "-", "--to", target], stdin=subprocess.PIPE, stderr=subprocess.PIPE)
            for _ in range(count // 10_000):
                run.stdin.write(block)
            run.stdin.close()
            said = run.stderr.read().decode()
            _, status, usage = os.wait4(run.pid, 0)
            took = time.monotonic() - begin
            name = "null:" if target == "null:" else "the endpoint"
            print(f"memory: {count} lines to {name} in {took:.1f} s, {usage.ru_maxrss / 1024:.1f} MiB at most")
            if status != 0:
                fail(f"the replay ended with {os.waitstatus_to_exitcode(status)}: {said}")
            if usage.ru_maxrss > MEMORY_KIB:
                fail(f"that is more than {MEMORY_KIB >> 10} MiB")


def main():
    trackctl, script, lines = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        events = folder / "events.jsonl"
        sample_lines.write(events, range(EVENTS))
        # Memory first: a process counts as its own what this one had when it was started.
        check_memory(trackctl, script, lines, folder)
        check_rate(trackctl, script, str(events), folder)
        check_kills(trackctl, script, str(events), folder)
    print("replay-check: passed")


if __name__ == "__main__":
    main()
