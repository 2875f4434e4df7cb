"""Writes the collector's limits (`collector limits --json`, on standard input) into its guide and its OpenAPI document, or compares them.

usage: limits.py [--check] GUIDE DOCUMENT
"""

import json
import re
import sys


def table(limits):
    rows = [f"| {limit['subject']} | {limit['limit']} | {limit['exceeded']} |\n" for limit in limits]
    return "| what | limit | when exceeded |\n|---|---|---|\n" + "".join(rows)


def member(limits):
    rows = [f"      {json.dumps(limit, ensure_ascii=False)}" for limit in limits]
    return '"x-limits": [\n' + ",\n".join(rows) + "\n    ]"


def replaced(path, pattern, text):
    with open(path) as file:
        old = file.read()
    new, count = re.subn(pattern, lambda _: text, old, flags=re.DOTALL)
    if count != 1:
        sys.exit(f"manual: {path} has {count} tables of limits; it must have one")
    return old, new


def main(arguments):
    check = arguments[:1] == ["--check"]
    if len(arguments[check:]) != 2:
        sys.exit(__doc__)
    guide, document = arguments[check:]
    limits = json.load(sys.stdin)
    for path, pattern, text in [
        (guide, r"\| what \| limit \| when exceeded \|\n.*?(?=\n\n)", table(limits).rstrip("\n")),
        (document, r'"x-limits": \[\n(?:.*?\n)?    \]', member(limits)),
    ]:
        old, new = replaced(path, pattern, text)
        if check and old != new:
            sys.exit(f"manual: the limits in {path} are stale; run 'make manual' and commit it")
        if not check:
            with open(path, "w") as file:
                file.write(new)


main(sys.argv[1:])
