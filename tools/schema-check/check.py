#!/usr/bin/env python3
"""Validates JSON lines of tracking containers with the jsonschema library.

check.py --schemas DIR [--examples] [FILE.jsonl …]

Each line must be a JSON object of at most 32 KiB that ends in a line feed, satisfy the container's schema, and hold
an event that satisfies the schema its member `schema` names. Findings go to standard error as file:line: message.
Exit status: 0 all valid, 1 findings, 64 usage, 66 no such file.
"""

import argparse
import collections
import gzip
import json
import pathlib
import sys
from decimal import Decimal

import jsonschema

MAXIMUM_LINE = 32 << 10


class Invalid(Exception):
    pass


def unique(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        raise Invalid("a name stands twice in one object")
    return members


def refuse(constant):
    raise Invalid(f"{constant} is not JSON")


class Log:
    """The schemas of a folder, compiled once."""

    def __init__(self, folder):
        self.container = self.validator(folder / "container" / "1-0-0.json")
        self.events = {
            f"{path.parent.name}/{path.stem}": self.validator(path) for path in sorted(folder.glob("events/*/*.json"))
        }

    @staticmethod
    def validator(path):
        schema = json.loads(path.read_text(encoding="utf-8"))
        validator = jsonschema.Draft202012Validator(schema)
        for example in schema["examples"]:
            error = jsonschema.exceptions.best_match(validator.iter_errors(example))
            if error:
                raise Invalid(f"{path}: its own example is invalid: {error.message}")
        return validator

    def check(self, line):
        """Gives the name of the line's event, or raises Invalid."""
        if not line.endswith(b"\n"):
            raise Invalid("torn write: the last line has no line feed")
        if len(line) - 1 > MAXIMUM_LINE:
            raise Invalid("the line is longer than 32 KiB")
        try:
            text = line.decode("utf-8")
            container = json.loads(text, object_pairs_hook=unique, parse_constant=refuse)
            exact = json.loads(text, parse_float=Decimal)
        except (UnicodeDecodeError, json.JSONDecodeError) as error:
            raise Invalid(f"not JSON: {error}") from error
        self.apply(self.container, container, "")
        # Binary floating point has no "at most six decimals": this is checked on the decimal text.
        time = exact["time"]
        if isinstance(time, Decimal) and -time.as_tuple().exponent > 6:
            raise Invalid("/time: more than six decimals")
        schema = container["schema"]
        if schema not in self.events:
            raise Invalid(f"/schema: there is no schema {schema}")
        event = container["event"]
        if schema.split("/")[0] != event["name"]:
            raise Invalid(f"/schema: {schema} is not the schema of an event {event['name']}")
        self.apply(self.events[schema], event, "/event")
        return event["name"]

    @staticmethod
    def apply(validator, instance, place):
        error = jsonschema.exceptions.best_match(validator.iter_errors(instance))
        if error:
            pointer = place + "".join(f"/{part}" for part in error.absolute_path)
            raise Invalid(f"{pointer or '/'}: {error.message[:200]}")


def lines(path):
    with open(path, "rb") as file:
        is_gzip = file.read(2) == b"\x1f\x8b"
    with gzip.open(path) if is_gzip else open(path, "rb") as file:
        yield from enumerate(file, start=1)


def check_file(log, path):
    counts, invalid = collections.Counter(), 0
    for number, line in lines(path):
        try:
            counts[log.check(line)] += 1
        except Invalid as finding:
            invalid += 1
            print(f"{path}:{number}: {finding}", file=sys.stderr)
    events = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    print(f"{path}: {counts.total()} lines valid ({events}), {invalid} invalid")
    return invalid == 0 and counts.total() > 0


def check_examples(log, folder):
    valid = all([check_file(log, path) for path in sorted((folder / "good").glob("*.jsonl"))])
    refused, files = 0, sorted((folder / "bad").glob("*.jsonl"))
    for path in files:
        count = 0
        for number, line in lines(path):
            count += 1
            try:
                log.check(line)
                print(f"{path}:{number}: should be refused, but is valid", file=sys.stderr)
                valid = False
            except Invalid:
                refused += 1
        if count == 0:
            print(f"{path}: holds no line", file=sys.stderr)
            valid = False
    print(f"{refused} bad lines in {len(files)} files refused")
    return valid and refused > 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: (print(f"check.py: {message}", file=sys.stderr), sys.exit(64))
    parser.add_argument("--schemas", type=pathlib.Path, required=True)
    parser.add_argument("--examples", action="store_true", help="also check the examples beside the schemas")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    for path in arguments.files:
        if not path.exists():
            print(f"check.py: there is no file {path}", file=sys.stderr)
            sys.exit(66)
    try:
        log = Log(arguments.schemas)
    except Invalid as finding:
        print(finding, file=sys.stderr)
        sys.exit(1)
    results = [check_examples(log, arguments.schemas / "examples")] if arguments.examples else []
    results += [check_file(log, path) for path in arguments.files]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
