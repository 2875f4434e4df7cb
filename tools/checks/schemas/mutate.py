#!/usr/bin/env python3
"""Spoils lines in many small ways, so that two validators have something to disagree about.

mutate.py SEED COUNT <FILE.jsonl >SPOILT.jsonl

Takes COUNT lines of the input, evenly spread, and changes each: a member removed, renamed, doubled, given another type,
a number moved past its limits, a string emptied or lengthened, a byte changed, a letter replaced by an escape.
Some stay valid. The same seed gives the same lines.
"""

import json
import random
import sys

VALUES = ["", "x", "x" * 70, "launch", "é🌊", 0, 1, -1, 1.5, 2**53 - 1, 2**53, 1e300, True, False, None, [], {}, [1], {"a": 1},
          "00000000-0000-4000-8000-000000000001", "search/1-0-0", "search/1-0-1", "nothing/1-0-0", "launch/1-0-0"]


def places(value, path=()):
    """Every way to a member."""
    if isinstance(value, dict):
        for name, member in value.items():
            yield path + (name,)
            yield from places(member, path + (name,))


def spoil(chance, line):
    container = json.loads(line)
    path = chance.choice(list(places(container)))
    parent = container
    for name in path[:-1]:
        parent = parent[name]
    name = path[-1]
    kind = chance.randrange(9)
    if kind == 0:
        del parent[name]
    elif kind == 1:
        parent[name + "s"] = parent.pop(name)
    elif kind in (2, 3, 4):
        parent[name] = chance.choice(VALUES)
    elif kind == 5:
        parent[chance.choice(["value", "extra", "context", "origin", "name"])] = chance.choice(VALUES)
    text = json.dumps(container, ensure_ascii=chance.random() < 0.5, separators=(",", ":"))
    if kind == 6:
        key = json.dumps(name)
        text = text.replace(key + ":", key + ":0," + key + ":", 1)
    elif kind == 7:
        at = chance.randrange(len(text))
        text = text[:at] + chance.choice(["", "x", "0", '"', ",", "\\u0041", "\\", "}", " "]) + text[at + chance.randrange(2):]
    elif kind == 8:
        text = text.replace('"time":', '"time":' + chance.choice(["1", "-", "0.1234567", "1e3", "0"]), 1)
    return text.encode("utf-8", "surrogatepass")


def main():
    chance = random.Random(int(sys.argv[1]))
    count = int(sys.argv[2])
    lines = sys.stdin.buffer.read().splitlines()
    for index in range(count):
        sys.stdout.buffer.write(spoil(chance, lines[index * len(lines) // count]) + b"\n")


if __name__ == "__main__":
    main()
