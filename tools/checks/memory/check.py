#!/usr/bin/env python3
"""Measures the memory of trackctl: see `run`."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

from cases import all_cases
from inputs import Inputs


def measure(trackctl, case, inputs, errors):
    """Runs a case and returns its exit code, its seconds, and its peak memory in MiB."""
    arguments = [inputs.resolved(argument) for argument in case.arguments]
    pipe = subprocess.Popen(["cat", inputs.resolved(case.piped)], stdout=subprocess.PIPE) if case.piped else None
    begin = time.monotonic()
    run = subprocess.Popen(
        [trackctl, *arguments], stdin=pipe.stdout if pipe else subprocess.DEVNULL, stdout=subprocess.DEVNULL,
        stderr=errors)
    if pipe:
        pipe.stdout.close()
    _, status, usage = os.wait4(run.pid, 0)
    run.returncode = os.waitstatus_to_exitcode(status)
    seconds = time.monotonic() - begin
    if pipe:
        pipe.wait()
    # Bytes on macOS.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return run.returncode, seconds, usage.ru_maxrss / unit


def measure_all(trackctl, inputs, wanted, show):
    """Runs the cases in order, including those that others need, and prints the requested cases."""
    for case in all_cases(inputs):
        # A later case may read the database that an earlier one makes.
        makes_input = "@database" in case.arguments and "--to" in case.arguments
        if not makes_input and not wanted.search(case.name):
            continue
        with tempfile.TemporaryFile() as errors:
            status, seconds, peak = measure(trackctl, case, inputs, errors)
            if status not in case.statuses:
                errors.seek(0)
                said = errors.read(2000).decode(errors="replace")
                sys.exit(f"memory-check: {case.name} ended with {status}: {said}")
        if case.output:
            remove(inputs.folder / case.output)
        if wanted.search(case.name):
            show(case, seconds, peak)


def remove(path):
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def main():
    options = read_options()
    sizes = [options.lines // 4, options.lines]
    peaks = [{}, {}]
    rates = {}

    def few(case, seconds, peak):
        peaks[0][case.name] = peak

    def many(case, seconds, peak):
        peaks[1][case.name] = peak
        rates[case.name] = sizes[1] * case.passes / seconds
        small = peaks[0][case.name]
        print(f"{case.name:<42} {rates[case.name]:>12,.0f} {small:>10.1f} {peak:>10.1f} {peak - small:>+8.1f}", flush=True)

    print(f"{'command':<42} {'lines/s':>12} {f'{sizes[0]:,}':>10} {f'{sizes[1]:,}':>10} {'MiB more':>8}")
    for count, show in zip(sizes, [few, many]):
        with tempfile.TemporaryDirectory(prefix="memory-") as folder:
            measure_all(options.trackctl, Inputs(count, folder, options.schemas), re.compile(options.only), show)
    if not peaks[1]:
        sys.exit("memory-check: no command was measured; see --only")
    judge(*peaks, options)


def judge(few, many, options):
    """Ends with 1 if a command uses too much memory, or if its memory grows with the lines."""
    faults = [f"{name} takes {peak:.1f} MiB" for name, peak in many.items() if peak > options.bar]
    faults += [f"{name} grows by {peak - few[name]:.1f} MiB" for name, peak in many.items()
               if peak - few[name] > options.growth]
    if faults:
        sys.exit(
            f"memory-check: more than {options.bar} MiB, or than {options.growth} MiB more of {options.lines:,} lines "
            f"than of a fourth of them:\n  " + "\n  ".join(faults))
    print(f"memory-check: passed, {len(many)} commands, {max(many.values()):.1f} MiB at most")


def read_options():
    parser = argparse.ArgumentParser(prog="memory-check")
    parser.add_argument("--trackctl", required=True)
    parser.add_argument("--schemas", required=True)
    parser.add_argument("--lines", type=int, default=10_000_000)
    parser.add_argument("--bar", type=float, default=64)
    parser.add_argument("--growth", type=float, default=8)
    parser.add_argument("--only", default="")
    options = parser.parse_args()
    if options.lines < 400:
        parser.error("--lines must be at least 400")
    return options


if __name__ == "__main__":
    main()
