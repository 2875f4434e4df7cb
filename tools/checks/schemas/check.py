#!/usr/bin/env python3
"""Validates JSON lines of tracking containers with the jsonschema library.

check.py [--schemas DIR] [--self-test] [--rejects FILE] [FILE.jsonl …]

A FILE may be gzip-compressed; - is standard input. Each line must be strict UTF-8 and JSON (I-JSON: unique names,
finite numbers, integers within ±(2^53-1), no half surrogate pairs), end in a line feed, have at most 32 KiB, satisfy
the container's schema, and hold an event that satisfies the schema its member `schema` names.

--self-test checks the form of the schemas, their own examples, and the files in DIR/examples: each good line must be
valid, each bad one rejected.

--rejects writes the invalid lines, each with a line feed, to a file.

Findings go to standard error as file:line: pointer: message, one a line; # points at the whole line.
Exit status: 0 all valid, 1 findings, 64 usage, 66 no such file.
"""

import argparse
import collections
import contextlib
import gzip
import json
import math
import pathlib
import re
import sys
import zlib

import jsonschema
import referencing
import referencing.exceptions

MAXIMUM_LINE = 32 << 10
MAXIMUM_INTEGER = (1 << 53) - 1
LONG_NUMBER = re.compile(rb"[0-9]{16}")
SURROGATE = re.compile("[\ud800-\udfff]")


class Invalid(Exception):
    """One or more findings, each a pointer and a message."""

    def __init__(self, *findings):
        super().__init__(*(f"{pointer}: {message}" for pointer, message in findings))
        self.findings = findings


class Number(float):
    """A number with a fraction or an exponent that remembers how it was written."""

    __slots__ = ("text",)


def parse_float(text):
    number = Number(text)
    if math.isinf(number):
        raise ValueError(f"{text[:40]} is beyond any double")
    number.text = text
    return number


def parse_int(text):
    if len(text) > 400:
        raise ValueError(f"{text[:40]}… is beyond any double")
    return int(text)


def parse_exact_int(text):
    if abs(int(text)) > MAXIMUM_INTEGER:
        raise Invalid(("#", f"{text[:40]} is beyond 2^53-1"))
    return 0


def parse_constant(constant):
    raise ValueError(f"{constant} is not JSON")


def unique(pairs):
    members = dict(pairs)
    if len(members) != len(pairs):
        names = collections.Counter(name for name, _ in pairs)
        raise ValueError(f"the name {names.most_common(1)[0][0]!a} stands twice in one object")
    return members


DECODER = json.JSONDecoder(
    object_pairs_hook=unique, parse_float=parse_float, parse_int=parse_int, parse_constant=parse_constant
)

INTEGERS = json.JSONDecoder(parse_int=parse_exact_int)


def decode(line):
    try:
        text = line.decode("utf-8")
        value = DECODER.decode(text)
        # Only an escape can bring in half a pair: strict UTF-8 holds none.
        if "\\u" in text and SURROGATE.search(json.dumps(value, ensure_ascii=False)):
            raise ValueError("half a surrogate pair")
        return value
    except RecursionError:
        raise Invalid(("#", "not JSON: nested too deeply")) from None
    except ValueError as error:
        raise Invalid(("#", f"not JSON: {error}")) from None


def decimals(number):
    """How many decimals a number is written with; binary floating point cannot tell."""
    if not isinstance(number, Number):
        return 0
    mantissa, _, exponent = number.text.lower().partition("e")
    if len(exponent) > 5:
        return math.inf if exponent.startswith("-") else 0
    return len(mantissa.partition(".")[2]) - int(exponent or 0)


PATTERNS = {}


def pattern(validator, expression, instance, schema):
    """As in the standard, $ is the very end; Python's also matches before a last line feed."""
    compiled = PATTERNS.get(expression)
    if compiled is None:
        compiled = PATTERNS[expression] = re.compile(re.sub(r"(?<!\\)\$$", r"\\Z", expression))
    if isinstance(instance, str) and not compiled.search(instance):
        yield jsonschema.ValidationError(f"{instance!r} does not match {expression!r}")


Validator = jsonschema.validators.extend(jsonschema.Draft202012Validator, {"pattern": pattern})


class Schemas:
    """The schemas of a folder, compiled once. A reference reaches these schemas and nothing else."""

    def __init__(self, folder):
        paths = [folder / "container" / "1-0-0.json", *sorted(folder.glob("events/*/*.json"))]
        contents = {path: self.read(path, folder) for path in paths}
        resources = [referencing.Resource.from_contents(schema) for schema in contents.values()]
        registry = referencing.Registry().with_resources((resource.id(), resource) for resource in resources)
        self.validators = {
            path: Validator(schema, registry=registry, format_checker=Validator.FORMAT_CHECKER)
            for path, schema in contents.items()
        }
        self.container = self.validators[paths[0]]
        self.events = {f"{path.parent.name}/{path.stem}": self.validators[path] for path in paths[1:]}

    @staticmethod
    def read(path, folder):
        try:
            schema = json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=unique)
            Validator.check_schema(schema)
        except (ValueError, jsonschema.SchemaError) as error:
            raise Invalid((path, f"not a schema: {str(error).splitlines()[0]}")) from None
        place = path.relative_to(folder).as_posix()
        if not schema.get("$id", "").endswith(f"/{place}"):
            raise Invalid((path, f"its $id does not end in {place}"))
        return schema

    def check(self, line):
        """Gives the name of the line's event, or raises Invalid with every finding."""
        if not line.endswith(b"\n"):
            raise Invalid(("#", "torn write: the last line has no line feed"))
        if len(line) - 1 > MAXIMUM_LINE:
            raise Invalid(("#", "longer than 32 KiB"))
        container = decode(line[:-1])
        findings = apply(self.container, container, "#")
        if findings:
            raise Invalid(*findings)
        if decimals(container["time"]) > 6:
            findings.append(("#/time", "more than six decimals"))
        schema, event = container["schema"], container["event"]
        if schema not in self.events:
            findings.append(("#/schema", f"there is no schema {schema}"))
        elif schema.partition("/")[0] != event["name"]:
            findings.append(("#/schema", f"{schema} is not a schema of the event {event['name']}"))
        else:
            findings += apply(self.events[schema], event, "#/event")
        if not findings and LONG_NUMBER.search(line):
            # A schema says it better where it has a maximum, so this comes last.
            INTEGERS.decode(line.decode())
        if findings:
            raise Invalid(*findings)
        return event["name"]


def apply(validator, instance, place):
    try:
        return [
            (place + "".join(f"/{escape(part)}" for part in error.absolute_path), shorten(error.message))
            for error in validator.iter_errors(instance)
        ]
    except referencing.exceptions.Unresolvable as error:
        raise Invalid((place, f"the schema refers to what is not there: {error.ref}")) from None
    except RecursionError:
        raise Invalid((place, "nested too deeply")) from None


def shape(schema, pointer="#"):
    """What every schema here keeps to, found without an instance: closed objects, and a description for each member."""
    members = schema.get("properties", {})
    if members and (schema.get("type") != "object" or schema.get("additionalProperties") is not False):
        yield pointer, "not a closed object"
    for name in set(schema.get("required", [])) - set(members):
        yield f"{pointer}/required", f"requires {name}, which it does not describe"
    for name, member in members.items():
        place = f"{pointer}/properties/{escape(name)}"
        if not member.get("description"):
            yield place, "has no description"
        if not {"type", "const", "enum", "$ref"} & set(member):
            yield place, "takes any value"
        yield from shape(member, place)


def event_shape(schema, name):
    """What the schema of an event says about its name."""
    if schema.get("properties", {}).get("name", {}).get("const") != name:
        yield "#/properties/name", f"is not the constant {name}"
    if "name" not in schema.get("required", []):
        yield "#/required", "does not require name"


def escape(part):
    return str(part).replace("~", "~0").replace("/", "~1")


def shorten(message):
    return message if len(message) <= 200 else f"{message[:120]} … {message[-78:]}"


def report(place, findings):
    for pointer, message in findings:
        text = "".join(c if c.isprintable() else repr(c)[1:-1] for c in f"{place}: {pointer}: {message}")
        print(text.encode("utf-8", "backslashreplace").decode(), file=sys.stderr)


def lines(path):
    """Gives the numbered lines of a file, decompressed."""
    with contextlib.ExitStack() as stack:
        file = sys.stdin.buffer if path == "-" else stack.enter_context(open(path, "rb"))
        # A pipe cannot be rewound, so look without taking.
        if file.peek(2)[:2] == b"\x1f\x8b":
            file = stack.enter_context(gzip.GzipFile(fileobj=file))
        number = 0
        try:
            for number, line in enumerate(file, start=1):
                yield number, line
        except (EOFError, gzip.BadGzipFile, zlib.error) as error:
            raise Invalid((f"{path}:{number + 1}", f"#: not gzip: {error}")) from None


def check_file(schemas, path, rejects=None):
    """Validates a file and prints its summary. Gives how many of its lines are valid, and whether all are."""
    counts, invalid, whole = collections.Counter(), 0, True
    try:
        for number, line in lines(path):
            try:
                counts[schemas.check(line)] += 1
            except Invalid as error:
                invalid += 1
                if rejects is None:
                    report(f"{path}:{number}", error.findings)
                else:
                    rejects.write(line if line.endswith(b"\n") else line + b"\n")
    except Invalid as error:
        whole = False
        print(error, file=sys.stderr)
    total = counts.total() + invalid
    if total == 0 and whole:
        whole = False
        print(f"{path}:1: #: has no lines", file=sys.stderr)
    events = ", ".join(f"{count} {name}" for name, count in sorted(counts.items()))
    print(f"{path}: {total} lines, {invalid} invalid" + (f" ({events})" if events else ""))
    return counts.total(), whole and invalid == 0


def self_test(schemas, folder):
    passed = True
    for path, validator in schemas.validators.items():
        examples = validator.schema.get("examples", [])
        findings = [] if examples else [("#/examples", "holds no example")]
        findings += shape(validator.schema)
        if validator is not schemas.container:
            findings += event_shape(validator.schema, path.parent.name)
        for index, example in enumerate(examples):
            findings += [(f"#/examples/{index}{p[1:]}", m) for p, m in apply(validator, example, "#")]
        report(f"{path}:1", findings)
        passed = passed and not findings
    good, refused = 0, 0
    names = set()
    for path in sorted((folder / "good").glob("*.jsonl")):
        valid, whole = check_file(schemas, path)
        good += valid
        passed = passed and whole
        names.add(path.stem)
    for name in sorted({key.partition("/")[0] for key in schemas.events} - names):
        print(f"{folder / 'good' / name}.jsonl:1: #: there is no such file of good lines", file=sys.stderr)
        passed = False
    for path in sorted((folder / "bad").glob("*.jsonl")):
        number = 0
        for number, line in lines(path):
            try:
                schemas.check(line)
                print(f"{path}:{number}: #: valid, but should be rejected", file=sys.stderr)
                passed = False
            except Invalid:
                refused += 1
        if number == 0:
            print(f"{path}:1: #: has no lines", file=sys.stderr)
            passed = False
    print(f"{good} good lines valid, {refused} bad lines rejected")
    return passed and good > 0 and refused > 0


def stop(status, message):
    print(f"check.py: {message}", file=sys.stderr)
    sys.exit(status)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.error = lambda message: stop(64, message)
    root = pathlib.Path(__file__).resolve().parents[3]
    parser.add_argument("--schemas", type=pathlib.Path, default=root / "Schemas", metavar="DIR")
    parser.add_argument("--self-test", action="store_true", help="check the examples too")
    parser.add_argument("--rejects", type=argparse.FileType("wb"), metavar="FILE", help="write invalid lines here")
    parser.add_argument("files", nargs="*", metavar="FILE")
    arguments = parser.parse_args()
    if not arguments.files and not arguments.self_test:
        stop(64, "name a file, or --self-test")
    for path in [arguments.schemas / "container" / "1-0-0.json", *(f for f in arguments.files if f != "-")]:
        if not pathlib.Path(path).exists() or pathlib.Path(path).is_dir():
            stop(66, f"there is no file {path}")
    try:
        schemas = Schemas(arguments.schemas)
        results = [self_test(schemas, arguments.schemas / "examples")] if arguments.self_test else []
    except Invalid as error:
        print(error, file=sys.stderr)
        sys.exit(1)
    results += [check_file(schemas, path, arguments.rejects)[1] for path in arguments.files]
    sys.exit(0 if all(results) else 1)


if __name__ == "__main__":
    main()
