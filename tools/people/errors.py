#!/usr/bin/env python3
"""Plants the errors of tools/people/errors in a copy of the SDK, each behind a switch, and runs random histories over each.

  tools/people/run --errors [NAME …] [--seeds N]
  tools/people/run --list-errors
  tools/people/run --check-errors

Prints in how many of N runs (5) each error was found. Exit codes: 0 if each run finds its error, 1 if not, 64 for wrong
options, 70 if the copy does not build or the runs without an error find one.
"""

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COPY = ROOT / ".build/people/tree"
STEPS = "24000"
MODULES = ["Sources/SDK/EventLog", "Sources/SDK/TrackingCore"]
SWITCH = """
#if canImport(Glibc)
import Glibc
#else
import Darwin
#endif

private let planted: Int = getenv("PEOPLE_FAULT").flatMap { Int(String(cString: $0)) } ?? 0

func isPlanted(_ number: Int) -> Bool { number == planted }
"""


class Options(argparse.ArgumentParser):
    def error(self, message):
        print(f"people: {message}; see tools/people/run --errors --help", file=sys.stderr)
        sys.exit(64)


def errors():
    """The names of the errors, and their changes: file, text, replacement."""
    found = []
    for line in (Path(__file__).parent / "errors").read_text().splitlines():
        key, _, value = line.partition(": ")
        if key == "name":
            found.append((value, []))
        elif key == "file":
            found[-1][1].append([value])
        elif key in ("from", "to"):
            found[-1][1][-1].append(value)
    return found


def planted():
    """The files of the copy, with the errors. Ends the program if an error no longer fits the code."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "Package.swift", "Package.resolved", "Sources", "tools/people", "Tests/Support"],
        cwd=ROOT, stdout=subprocess.PIPE, text=True, check=True)
    texts = {name: (ROOT / name).read_bytes() for name in listed.stdout.splitlines() if (ROOT / name).is_file()}
    for number, (name, changes) in enumerate(errors(), 1):
        for file, old, new in changes:
            text = texts[file].decode()
            if text.count(old) != 1:
                sys.exit(f"people: cannot plant '{name}': {file} must contain this once; update tools/people/errors:\n  {old}")
            texts[file] = text.replace(old, new.replace("PLANTED", f"isPlanted({number})")).encode()
    for module in MODULES:
        texts[f"{module}/PlantedFaults.swift"] = SWITCH.encode()
    return texts


def copy():
    texts = planted()
    COPY.mkdir(parents=True, exist_ok=True)
    for top in ("Sources", "tools", "Tests"):
        for path in (COPY / top).rglob("*"):
            if path.is_file() and str(path.relative_to(COPY)) not in texts:
                path.unlink()
    for name, text in texts.items():
        target = COPY / name
        # Unchanged files keep their build products.
        if not target.exists() or target.read_bytes() != text:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text)
            shutil.copymode(ROOT / name if (ROOT / name).exists() else __file__, target)


def finds(number, seed):
    """Whether a run with an error finds it. Without an error, 0 is the number."""
    program = COPY / ".build/debug/people"
    ended = subprocess.run(
        [program, "--steps", STEPS, "--seed", str(seed)], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env=dict(os.environ, PEOPLE_FAULT=str(number)))
    return ended.returncode != 0, ended.stdout


def main():
    parser = Options(prog="tools/people/run", description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="only these errors")
    parser.add_argument("--errors", action="store_true", help="plant errors")
    parser.add_argument("--list-errors", action="store_true", help="list the errors that can be planted")
    parser.add_argument("--check-errors", action="store_true", help="check that all errors can be planted, and run nothing")
    parser.add_argument("--seeds", type=int, default=5, metavar="N", help="runs for each error (5)")
    arguments = parser.parse_args()
    known = errors()
    if arguments.list_errors:
        print("\n".join(name for name, _ in known))
        return
    if arguments.check_errors:
        planted()
        return
    for name in arguments.names:
        if name not in [known_name for known_name, _ in known]:
            parser.error(f"unknown error '{name}'")
    if arguments.seeds < 1:
        parser.error("--seeds must be at least 1")
    copy()
    built = subprocess.run(["swift", "build", "--product", "people"], cwd=COPY, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if built.returncode != 0:
        print(built.stdout[-4000:], file=sys.stderr)
        sys.exit(70)
    seeds = [1 + run * 1_000_000 for run in range(arguments.seeds)]
    for seed in seeds:
        isFound, output = finds(0, seed)
        if isFound:
            print(f"people: found without a planted error:\n{output}", file=sys.stderr)
            sys.exit(70)
    missed = 0
    for number, (name, _) in enumerate(known, 1):
        if arguments.names and name not in arguments.names:
            continue
        count = sum(finds(number, seed)[0] for seed in seeds)
        missed += count < len(seeds)
        print(f"{count}/{len(seeds)}  {name}", flush=True)
    print("all found" if missed == 0 else f"{missed} not always found")
    sys.exit(1 if missed else 0)


if __name__ == "__main__":
    main()
