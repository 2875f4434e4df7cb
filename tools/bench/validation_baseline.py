"""Validates the lines of a file with jsonschema-rs, parsed by orjson: a loop that measures itself, for `validate`.

    validation_baseline.py SCHEMA LINES

For each line of standard input it answers one: `invalid` with the numbers of the invalid lines, from 0, with commas
between them; `round` with the nanoseconds of one round over all lines and the count of the invalid ones.
"""

import sys
import time

import jsonschema_rs
import orjson

with open(sys.argv[1], "rb") as file:
    schema = orjson.loads(file.read())
with open(sys.argv[2], "rb") as file:
    lines = file.read().splitlines()

is_valid = jsonschema_rs.Draft202012Validator(schema, validate_formats=True).is_valid


def measured(lines, is_valid, loads):
    invalid = 0
    start = time.perf_counter_ns()
    for line in lines:
        if not is_valid(loads(line)):
            invalid += 1
    return time.perf_counter_ns() - start, invalid


for command in sys.stdin:
    if command == "invalid\n":
        numbers = (str(number) for number, line in enumerate(lines) if not is_valid(orjson.loads(line)))
        print(",".join(numbers), flush=True)
    else:
        print(*measured(lines, is_valid, orjson.loads), flush=True)
