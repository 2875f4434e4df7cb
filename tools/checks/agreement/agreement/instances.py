"""Instances for a schema: made towards it, changed a little, or at random."""

import copy

from agreement import formats, samples
from agreement.values import text, value

MATCHES = {pattern: matches for pattern, _, matches in samples.PATTERNS}
ABSENT = object()


class InstanceMaker:
    """Makes instances for one schema, whose references `targets` knows."""

    def __init__(self, rng, schema, targets):
        self.rng = rng
        self.schema = schema
        self.targets = targets

    def make(self):
        rng = self.rng
        chance = rng.random()
        if chance < 0.12:
            return value(rng, 3)
        made = copy.deepcopy(self.toward([self.schema], 4))
        for _ in range(rng.choice((0, 0, 0, 1, 1, 2))):
            made = self.changed(made)
        return made

    def near(self, instance):
        """An instance with one place changed."""
        return self.changed(copy.deepcopy(instance))

    def flattened(self, schema, into, fuel):
        """Collects the schemas that must hold together, one branch per choice."""
        if not isinstance(schema, dict) or fuel <= 0 or len(into) > 40:
            return
        rng = self.rng
        into.append(schema)
        for part in schema.get("allOf", []):
            self.flattened(part, into, fuel - 1)
        for keyword in ("anyOf", "oneOf"):
            if keyword in schema:
                self.flattened(rng.choice(schema[keyword]), into, fuel - 1)
        if "if" in schema:
            taken = ("if", "then") if rng.random() < 0.5 else ("else",)
            for keyword in taken:
                self.flattened(schema.get(keyword), into, fuel - 1)
        if "dependentSchemas" in schema and rng.random() < 0.4:
            self.flattened(rng.choice(list(schema["dependentSchemas"].values())), into, fuel - 1)
        target = self.targets.get(id(schema))
        if target is not None:
            self.flattened(target.schema, into, fuel - 1)

    def toward(self, schemas, depth):
        """A value for which all schemas may hold."""
        rng = self.rng
        parts = []
        for schema in schemas:
            self.flattened(schema, parts, 6)
        for part in parts:
            if "const" in part:
                return part["const"]
            if "enum" in part:
                return rng.choice(part["enum"])
        kinds = [{part["type"]} if isinstance(part["type"], str) else set(part["type"])
                 for part in parts if "type" in part]
        allowed = set.intersection(*kinds) if kinds else set()
        kind = rng.choice(sorted(allowed)) if allowed else self.likely(parts)
        if depth <= 0 and kind in ("array", "object"):
            return [] if kind == "array" else {}
        if kind == "null":
            return None
        if kind == "boolean":
            return rng.random() < 0.5
        return getattr(self, "a_" + kind.replace("integer", "number"))(parts, depth)

    def likely(self, parts):
        keys = {key for part in parts for key in part}
        kinds = [kind for kind, words in (
            ("object", {"properties", "required", "patternProperties", "additionalProperties", "propertyNames",
                        "dependentRequired", "dependentSchemas", "minProperties", "maxProperties",
                        "unevaluatedProperties"}),
            ("array", {"prefixItems", "items", "contains", "uniqueItems", "minItems", "maxItems", "unevaluatedItems"}),
            ("string", {"minLength", "maxLength", "pattern", "format"}),
            ("number", {"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"})) if keys & words]
        if kinds and self.rng.random() < 0.9:
            return self.rng.choice(kinds)
        return self.rng.choice(("null", "boolean", "number", "string", "array", "object"))

    def a_string(self, parts, depth):
        rng = self.rng
        named = [part["format"] for part in parts if "format" in part]
        if named and rng.random() < 0.9:
            made = rng.choice(formats.FORMATS[rng.choice(named)])
            if made and rng.random() < 0.1:
                place = rng.randrange(len(made))
                made = made[:place] + rng.choice("0aZ-:./%é ") + made[place + rng.randint(0, 1):]
            return made
        patterns = [part["pattern"] for part in parts if "pattern" in part]
        made = rng.choice(MATCHES[rng.choice(patterns)]) if patterns and rng.random() < 0.8 else text(rng)
        least = max([part.get("minLength", 0) for part in parts], default=0)
        most = min([part.get("maxLength", 99) for part in parts], default=99)
        if rng.random() < 0.7:
            while len(made) < least:
                made += rng.choice(samples.LETTERS)
            made = made[:most]
        return made

    def a_number(self, parts, depth):
        rng = self.rng
        near = [part[keyword] for part in parts for keyword in (
            "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf") if keyword in part]
        if not near or rng.random() < 0.15:
            return rng.choice(samples.NUMBERS)
        made = rng.choice(near)
        divisors = [part["multipleOf"] for part in parts if "multipleOf" in part]
        if divisors and rng.random() < 0.8:
            divisor = rng.choice(divisors)
            return divisor * rng.choice((0, 1, -1, 2, 3, 7, 10, made if abs(made) < 10**6 else 1))
        return made + rng.choice((0, 0, 1, -1, *samples.NUMBERS[13:17])) if abs(made) < 10**25 else made

    def an_array(self, parts, depth):
        rng = self.rng
        least = max([part.get("minItems", 0) for part in parts], default=0)
        most = min([part.get("maxItems", 5) for part in parts], default=5)
        prefix = max([len(part.get("prefixItems", [])) for part in parts], default=0)
        count = min(most, max(least, rng.choice((prefix, prefix + 1, 0, 1, 2, 3))))
        made = []
        for index in range(count):
            schemas = []
            for part in parts:
                items = part.get("prefixItems", [])
                if index < len(items):
                    schemas.append(items[index])
                elif "items" in part:
                    schemas.append(part["items"])
                elif rng.random() < 0.5:
                    schemas.append(part.get("unevaluatedItems"))
            made.append(self.toward(schemas, depth - 1))
        for part in parts:
            if "contains" in part and made:
                for _ in range(part.get("minContains", 1)):
                    made[rng.randrange(len(made))] = self.toward([part["contains"]], depth - 1)
        return made

    def an_object(self, parts, depth):
        rng = self.rng
        names = [name for part in parts for name in part.get("required", [])]
        for part in parts:
            names += [name for name in part.get("properties", {}) if rng.random() < 0.6]
            for pattern in part.get("patternProperties", {}):
                if rng.random() < 0.5:
                    names.append(rng.choice(MATCHES[pattern]))
            for name, needed in part.get("dependentRequired", {}).items():
                if name in names or rng.random() < 0.2:
                    names += [name, *needed] if rng.random() < 0.8 else [name]
            if rng.random() < 0.2:
                names += rng.choices(list(part.get("dependentSchemas", {"a": 0})))
            if rng.random() < 0.2 and part.get("additionalProperties") is not False:
                names.append(rng.choice(samples.NAMES))
        most = min([part.get("maxProperties", 9) for part in parts], default=9)
        made = {}
        for name in list(dict.fromkeys(names))[:most if rng.random() < 0.8 else 9]:
            schemas = []
            for part in parts:
                if name in part.get("properties", {}):
                    schemas.append(part["properties"][name])
                schemas += [schema for pattern, schema in part.get("patternProperties", {}).items()
                            if name in MATCHES[pattern]]
                if not schemas:
                    schemas.append(part.get("additionalProperties", part.get("unevaluatedProperties")))
            made[name] = self.toward(schemas, depth - 1)
        if rng.random() < 0.3:
            items = list(made.items())
            rng.shuffle(items)
            made = dict(items)
        return made

    a_array, a_object = an_array, an_object

    def changed(self, made):
        """The value with one place changed."""
        rng = self.rng
        if isinstance(made, list) and made and rng.random() < 0.8:
            index = rng.randrange(len(made))
            what = rng.random()
            if what < 0.6:
                made[index] = self.changed(made[index])
            elif what < 0.75:
                del made[index]
            elif what < 0.9:
                made.insert(rng.randint(0, len(made)), copy.deepcopy(made[index]))
            else:
                rng.shuffle(made)
            return made
        if isinstance(made, dict) and made and rng.random() < 0.8:
            name = rng.choice(list(made))
            what = rng.random()
            if what < 0.6:
                made[name] = self.changed(made[name])
            elif what < 0.8:
                del made[name]
            else:
                made[rng.choice(samples.NAMES)] = value(rng, 1)
            return made
        return self.changed_leaf(made)

    def changed_leaf(self, made):
        rng = self.rng
        if isinstance(made, bool):
            return rng.choice((not made, int(made), "true"))
        if isinstance(made, str) and rng.random() < 0.8:
            place = rng.randint(0, len(made))
            letter = rng.choice(("", rng.choice(samples.LETTERS + "0Z:/.%@[{~")))
            return made[:place] + letter + made[place + rng.randint(0, 1):]
        if made is not None and not isinstance(made, (str, list, dict)) and rng.random() < 0.7:
            return made + rng.choice((1, -1, *samples.NUMBERS[13:17])) if abs(made) < 10**25 else -made
        if isinstance(made, list):
            return made + [value(rng, 1)]
        if isinstance(made, dict):
            return {**made, rng.choice(samples.NAMES): value(rng, 1)}
        return value(rng, 2)
