"""Three validators whose verdict is valid, invalid, or an error with its reason."""

import decimal
import multiprocessing
import resource
import subprocess

import jsonschema
import jsonschema.validators
import jsonschema_rs
import referencing
import referencing.exceptions

from agreement import jsontext, samples

PYTHON_PATTERNS = {pattern: python for pattern, python, _ in samples.PATTERNS}
# Decimals are exact in here: no quotient of the samples has more digits.
decimal.getcontext().prec = 2000


class Ours:
    """JSONSchema, through the program schema-verdicts."""

    def __init__(self, program):
        self.process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def verdicts(self, schema, instances, style=jsontext.PLAIN):
        schema = jsontext.write(schema, style)
        for instance in instances:
            line = f'{{"schema":{schema},"instance":{jsontext.write(instance, style)}}}\n'
            self.process.stdin.write(line.encode())
        self.process.stdin.flush()
        answers = [self.process.stdout.readline().decode().rstrip("\n") for _ in instances]
        return [answer or "error: the program ended" for answer in answers]


class Ended(Exception):
    """jsonschema-rs ran out of memory or time."""


class Rust:
    """jsonschema-rs in a separate process: with some schemas, its memory grows without limit."""

    MEMORY = 2 << 30
    SECONDS = 20

    def __init__(self):
        self.start()

    def start(self):
        self.connection, other = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=self.serve, args=(other,), daemon=True)
        self.process.start()
        other.close()

    def verdicts(self, schema, instances):
        # What the process kept of earlier schemas may be what was too much.
        for _ in range(2):
            self.connection.send((schema, instances))
            try:
                if self.connection.poll(self.SECONDS):
                    return self.connection.recv()
            except (EOFError, ConnectionError):
                pass
            self.process.kill()
            self.process.join()
            self.connection.close()
            self.start()
        raise Ended

    def serve(self, connection):
        resource.setrlimit(resource.RLIMIT_AS, (self.MEMORY, self.MEMORY))
        while True:
            try:
                schema, instances = connection.recv()
            except EOFError:
                return
            connection.send(self.answer(schema, instances))

    def answer(self, schema, instances):
        try:
            validator = jsonschema_rs.Draft202012Validator(schema, validate_formats=True)
        except (ValueError, jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError) as error:
            return ["error " + str(error).split("\n")[0]] * len(instances)
        return [self.verdict(validator, instance) for instance in instances]

    def verdict(self, validator, instance):
        try:
            return "valid" if validator.is_valid(instance) else "invalid"
        except RuntimeError as error:
            return "error " + str(error)


class Python:
    """jsonschema, with exact numbers and with patterns written for its engine."""

    def __init__(self):
        standard = jsonschema.Draft202012Validator
        types = standard.TYPE_CHECKER.redefine("integer", lambda _, value: _is_number(value) and value == int(value))
        self.validator = jsonschema.validators.extend(standard, type_checker=types.redefine(
            "number", lambda _, value: _is_number(value)))

    def verdicts(self, schema, instances):
        validator = self.validator(
            translated(schema), format_checker=self.validator.FORMAT_CHECKER, registry=referencing.Registry())
        return [self.verdict(validator, instance) for instance in instances]

    def verdict(self, validator, instance):
        try:
            return "valid" if validator.is_valid(instance) else "invalid"
        except (RecursionError, ArithmeticError, LookupError, ValueError, TypeError,
                referencing.exceptions.Unresolvable) as error:
            return "error " + repr(error)[:200]


def _is_number(value):
    return isinstance(value, (int, decimal.Decimal)) and not isinstance(value, bool)


def translated(schema):
    """The schema with its patterns written for the re module."""
    if isinstance(schema, list):
        return [translated(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for keyword, part in schema.items():
        if keyword in ("const", "enum", "default", "unknownKeyword", "x-else"):
            made[keyword] = part
        elif keyword == "pattern" and isinstance(part, str):
            made[keyword] = PYTHON_PATTERNS[part]
        elif keyword == "patternProperties":
            made[keyword] = {PYTHON_PATTERNS[pattern]: translated(each) for pattern, each in part.items()}
        elif keyword in ("properties", "$defs", "dependentSchemas"):
            made[keyword] = {name: translated(each) for name, each in part.items()}
        else:
            made[keyword] = translated(part)
    return made
