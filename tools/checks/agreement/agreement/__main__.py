"""Compares JSONSchema with jsonschema-rs on random pairs, and runs jsonschema where they differ.

agreement --verdicts PROGRAM [--pairs N] [--seed S] [--short]

Prints the share of valid pairs and of each keyword, then every disagreement, reduced to a minimal pair, with all verdicts.
Exit codes: 0 if every disagreement is an error of another validator, because the third validator agrees with JSONSchema or
known-faults.json explains it; 1 otherwise; 64 wrong usage.
"""

import argparse
import collections
import random
import sys
import time

from agreement import faults, instances, jsontext, power, schemas, shrinking, validators

INSTANCES = 4
CANDIDATES = 12
# For one of this many schemas, the deciding keywords are determined.
SAMPLE = 20


class Parser(argparse.ArgumentParser):
    """A parser that ends with the status for wrong usage."""

    def error(self, message):
        self.print_usage(sys.stderr)
        print(f"{self.prog}: {message}", file=sys.stderr)
        sys.exit(64)


def arguments():
    parser = Parser(prog="schema-agreement/run")
    parser.add_argument("--verdicts", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--pairs", type=int, default=100_000, metavar="N", help="number of pairs (default 100,000)")
    parser.add_argument("--seed", default="1", metavar="S", help="random seed (default 1)")
    parser.add_argument("--short", action="store_true", help="the first 4,000 pairs only")
    options = parser.parse_args()
    if options.pairs < 1:
        parser.error("--pairs must be greater than zero")
    return options


class Comparison:
    """Counts pairs and collects where validators differ."""

    def __init__(self, program):
        self.ours = validators.Ours(program)
        self.rust = validators.Rust()
        self.python = validators.Python()
        self.known = faults.KnownFaults()
        self.pairs = 0
        self.counts = collections.Counter()
        self.shares = collections.Counter()
        self.decisive = collections.Counter()
        self.sampled = 0
        self.ended = 0
        self.disagreements = []

    def compare(self, rng, sampled):
        maker = schemas.SchemaMaker(rng)
        schema = maker.make()
        try:
            candidates = chosen(rng, schema, maker.targets, self.rust)
        except validators.Ended:
            self.ended += 1
            return
        if not candidates:
            return
        style = jsontext.Style(rng)
        ours = self.ours.verdicts(schema, candidates, style)
        rust = self.rust.verdicts(schema, candidates)
        if sampled:
            self.sampled += len(candidates)
            self.decisive.update(power.decisive(schema, candidates, self.rust))
        words = faults.keywords(schema)
        for instance, mine, theirs in zip(candidates, ours, rust):
            self.pairs += 1
            self.counts[mine.split(" ")[0]] += 1
            self.shares.update(words)
            if mine != theirs or mine.startswith("error"):
                self.disagreements.append(self.disagreement(schema, instance, mine, theirs))

    def disagreement(self, schema, instance, mine, theirs):
        def differs(smaller_schema, smaller_instance):
            # Errors keep their text, so that shrinking does not find a different error.
            try:
                return self.ours.verdicts(smaller_schema, [smaller_instance]) == [mine] and self.rust.verdicts(
                    smaller_schema, [smaller_instance]) == [theirs]
            except validators.Ended:
                return False

        if mine != theirs:
            schema, instance = shrinking.shrink(schema, instance, differs)
        third, = self.python.verdicts(schema, [instance])
        return schema, instance, mine, theirs, third, self.known.find(schema, mine, theirs, third)


def chosen(rng, schema, targets, rust):
    """Instances of which as many are valid as not, those that are not mostly one change away; none for most of the
    schemas that take everything, or nothing that was tried."""
    maker = instances.InstanceMaker(rng, schema, targets)
    made = [maker.make() for _ in range(CANDIDATES)]
    good, bad = parted(made, rust.verdicts(schema, made))
    if good:
        made = [maker.near(rng.choice(good)) for _ in range(CANDIDATES)]
        good_too, near = parted(made, rust.verdicts(schema, made))
        good, bad = good + good_too, near + bad
        rng.shuffle(good)
    if not (good and bad) and rng.random() < 0.8:
        return []
    taken = good[:max(INSTANCES // 2, INSTANCES - len(bad))]
    return taken + bad[:INSTANCES - len(taken)]


def parted(made, verdicts):
    """The valid ones, and the others."""
    pairs = list(zip(made, verdicts))
    return [each for each, verdict in pairs if verdict == "valid"], [
        each for each, verdict in pairs if verdict != "valid"]


def report(comparison, seconds):
    pairs = comparison.pairs
    print(f"{pairs:,} pairs in {seconds:.0f} s: " + ", ".join(
        f"{count:,} {verdict} ({100 * count / pairs:.1f} %)" for verdict, count in comparison.counts.most_common()))
    print("keywords: share of pairs whose schema has it, and whose verdict depends on it (sampled):")
    comparison.shares["$dynamicRef, not static"] = comparison.shares["$dynamicRef"]
    for keyword, count in sorted(comparison.shares.items(), key=lambda share: -share[1]):
        decides = comparison.decisive[keyword] / comparison.sampled
        print(f"  {100 * count / pairs:5.1f} %  {100 * decides:5.2f} %  {keyword}")
    causes = collections.Counter()
    examples = {}
    bad = 0
    for schema, instance, ours, rust, python, known in comparison.disagreements:
        if known:
            causes[known["reason"]] += 1
            continue
        is_fault = python != ours or ours.startswith("error")
        bad += is_fault
        shape = (is_fault, ours.split(" ")[0], rust.split(" ")[0], python.split(" ")[0],
                 tuple(sorted(faults.keywords(schema) - faults.IGNORED)))
        examples.setdefault(shape, [0, schema, instance, ours, rust, python])[0] += 1
    if comparison.ended:
        print(f"{comparison.ended:,} schemas skipped: jsonschema-rs needs more than {validators.Rust.MEMORY >> 30} GiB or "
              f"{validators.Rust.SECONDS} s for them")
    print(f"{len(comparison.disagreements):,} disagreements")
    for reason, count in causes.most_common():
        print(f"  {count:,} known: {reason}")
    for shape, (count, schema, instance, ours, rust, python) in sorted(
            examples.items(), key=lambda item: (not item[0][0], -item[1][0])):
        print(f"  {count:,} {'UNEXPLAINED' if shape[0] else 'third validator agrees with JSONSchema'}: JSONSchema {ours} | jsonschema-rs "
              f"{rust} | jsonschema {python}\n      schema   {jsontext.write(schema)}\n"
              f"      instance {jsontext.write(instance)}")
    print(f"{bad:,} unexplained")
    return bad == 0


def main():
    options = arguments()
    pairs = min(options.pairs, 4_000) if options.short else options.pairs
    comparison = Comparison(options.verdicts)
    start = time.monotonic()
    number = 0
    while comparison.pairs < pairs:
        # Each schema has its own seed, so that it can be reproduced without the schemas before it.
        comparison.compare(random.Random(f"{options.seed}:{number}"), number % SAMPLE == 0)
        number += 1
    sys.exit(0 if report(comparison, time.monotonic() - start) else 1)


if __name__ == "__main__":
    main()
