"""Random schemas over every vocabulary of draft 2020-12 that asserts something."""

from agreement import formats, samples, values
from agreement.references import BASE, Place, References
from agreement.themes import THEMES

TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]


class SchemaMaker(References):
    """Makes one schema; `targets` then tells by id() of a schema with a reference where that leads."""

    def __init__(self, rng):
        self.rng = rng
        self.targets = {}
        self.kept = []  # so that no id() is given twice
        self.theme, self.focuses = rng.choice(THEMES)

    def chance(self, keyword, share):
        """Whether a keyword is to be there: often if it is of the theme, seldom if there is another."""
        if self.theme:
            share = 0.6 if keyword in self.theme else share * 0.35
        return self.rng.random() < share

    def make(self):
        rng = self.rng
        count = rng.choice((1, 2, 3)) if "$ref" in self.theme else rng.choice((0, 0, 0, 1, 2, 4))
        has_ids = self.chance("$id", 0.35)
        self.root = Place(-1, "", BASE if has_ids else None, BASE if has_ids else None)
        names = rng.sample(["one", "two", "a/b", "m~n", "p%q", "é", "x y"], count)
        self.places = [Place(number, name) for number, name in enumerate(names)]
        for place in self.places:
            if has_ids and rng.random() < 0.7:
                uri = rng.choice([f"defs/{place.number}.json", f"{place.number}.json", f"/{place.number}",
                                  f"urn:example:{place.number}", f"https://other.example/{place.number}?q"])
                place.uri = uri
                place.absolute = uri if ":" in uri else {
                    "/": f"https://example.com{uri}"}.get(uri[0], f"https://example.com/schemas/{uri}")
            if rng.random() < 0.4:
                place.anchor = f"anchor{place.number}"
        if rng.random() < 0.3:
            self.root.anchor = "top"
        self.name_dynamic_anchors()
        for place in [*self.places, self.root]:
            place.schema = self.definition(place)
        if "$dynamicRef" in self.theme:
            self.make_dynamic()
        if self.places:
            if self.root.schema is True or self.root.schema is False:
                self.root.schema = {}
            self.root.schema["$defs"] = {place.name: place.schema for place in self.places}
        if isinstance(self.root.schema, dict) and rng.random() < 0.1:
            self.root.schema["$schema"] = "https://json-schema.org/draft/2020-12/schema"
        return self.root.schema

    def definition(self, place):
        self.place = place
        schema = self.schema(self.rng.choice((1, 2, 2, 3) if place.number < 0 else (0, 1, 1, 2)), consumed=False)
        if place.uri or place.anchor or place.dynamic:
            if not isinstance(schema, dict):
                schema = {} if schema else {"not": {}}
            for keyword, value in (("$id", place.uri), ("$anchor", place.anchor), ("$dynamicAnchor", place.dynamic)):
                if value:
                    schema[keyword] = value
        return schema

    def schema(self, depth, consumed, focus=None):
        rng = self.rng
        if rng.random() < 0.05:
            return rng.random() < 0.6
        focus = focus or rng.choice(self.focuses)
        schema = {}
        if self.chance("$ref", 0.13):
            self.add_reference(schema, consumed)
        if self.chance("type", 0.5):
            schema["type"] = self.type(focus)
        if self.chance("enum", 0.07) and rng.random() < 0.5:
            schema["enum"] = [self.value(2) for _ in range(rng.randint(1, 5))]
        if self.chance("const", 0.04) and rng.random() < 0.3:
            schema["const"] = self.value(2)
        if focus in ("object", "array") and depth <= 0:
            focus = rng.choice(["string", "number", focus])
        if focus == "any":
            for part in rng.sample(["string", "number", "object", "array"], 2):
                getattr(self, "add_" + part)(schema, depth)
        else:
            getattr(self, "add_" + focus)(schema, depth)
        if depth > 0 and self.chance("applicator", 0.35):
            for _ in range(rng.choice((1, 1, 2))):
                self.add_applicator(schema, depth - 1, consumed, focus if focus != "any" else None)
        if focus in ("object", "array", "any"):
            keyword = {"object": "unevaluatedProperties", "array": "unevaluatedItems"}.get(
                focus, rng.choice(("unevaluatedProperties", "unevaluatedItems")))
            if self.chance(keyword, 0.25 if len(schema) > 2 else 0.1):
                schema[keyword] = rng.random() < 0.2 if rng.random() < 0.6 else self.schema(min(depth - 1, 0), True)
        if rng.random() < 0.04:
            schema[rng.choice(("title", "description", "$comment", "contentEncoding"))] = "base64"
        if rng.random() < 0.03:
            schema[rng.choice(("default", "unknownKeyword", "x-else"))] = self.value(1)
        items = list(schema.items())
        rng.shuffle(items)
        shuffled = dict(items)
        if id(schema) in self.targets:
            self.targets[id(shuffled)] = self.targets[id(schema)]
        self.kept += [schema, shuffled]
        return shuffled

    def type(self, focus):
        rng = self.rng
        if focus == "number":
            focus = rng.choice(("number", "integer"))
        if focus == "any":
            focus = rng.choice(TYPES)
        if rng.random() < 0.1:
            focus = rng.choice(TYPES)
        if rng.random() < 0.25:
            others = [name for name in TYPES if name != focus]
            return rng.sample([focus, *rng.sample(others, rng.randint(0, 2))], k=1) if rng.random() < 0.2 else [
                focus, *rng.sample(others, rng.randint(1, 2))]
        return focus

    def add_string(self, schema, depth):
        rng = self.rng
        if self.chance("minLength", 0.3):
            schema["minLength"] = rng.choice((0, 1, 2, 3))
        if self.chance("maxLength", 0.3):
            schema["maxLength"] = rng.choice((0, 1, 2, 3, 5, 10))
        if self.chance("pattern", 0.3):
            schema["pattern"] = rng.choice(samples.PATTERNS)[0]
        if self.chance("format", 0.2):
            schema["format"] = rng.choice(list(formats.FORMATS))

    def add_number(self, schema, depth):
        rng = self.rng
        for keyword in ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"):
            if self.chance(keyword, 0.25):
                schema[keyword] = rng.choice(samples.NUMBERS)
        if self.chance("multipleOf", 0.3):
            schema["multipleOf"] = rng.choice(samples.DIVISORS)

    def add_array(self, schema, depth):
        rng = self.rng
        if self.chance("prefixItems", 0.35):
            schema["prefixItems"] = [self.schema(depth - 1, True) for _ in range(rng.randint(1, 3))]
        if self.chance("items", 0.4):
            schema["items"] = self.schema(depth - 1, True)
        if self.chance("contains", 0.3):
            schema["contains"] = self.schema(min(depth - 1, 1), True)
        if self.chance("minContains", 0.15):
            schema["minContains"] = rng.choice((0, 0, 1, 2, 3))
        if self.chance("maxContains", 0.15):
            schema["maxContains"] = rng.choice((0, 1, 2))
        if self.chance("uniqueItems", 0.25):
            schema["uniqueItems"] = rng.random() < 0.85
        if self.chance("minItems", 0.15):
            schema["minItems"] = rng.choice((0, 1, 2))
        if self.chance("maxItems", 0.15):
            schema["maxItems"] = rng.choice((0, 1, 2, 4))

    def add_object(self, schema, depth):
        rng = self.rng
        names = lambda most: rng.sample(samples.NAMES, rng.randint(1, most))
        if self.chance("properties", 0.6):
            schema["properties"] = {name: self.schema(depth - 1, True) for name in names(4)}
        if self.chance("patternProperties", 0.2):
            patterns = {rng.choice(samples.PATTERNS)[0] for _ in range(rng.randint(1, 2))}
            schema["patternProperties"] = {pattern: self.schema(depth - 1, True) for pattern in sorted(patterns)}
        if self.chance("additionalProperties", 0.25):
            schema["additionalProperties"] = self.schema(depth - 1, True) if rng.random() < 0.5 else False
        if self.chance("propertyNames", 0.1):
            schema["propertyNames"] = self.schema(0, True, "string")
        if self.chance("required", 0.35):
            known = list(schema.get("properties", {})) or samples.NAMES
            schema["required"] = rng.sample(known, min(len(known), rng.randint(0, 2)))
            if rng.random() < 0.1:
                schema["required"] = names(2)
        if self.chance("minProperties", 0.1):
            schema["minProperties"] = rng.choice((0, 1, 2))
        if self.chance("maxProperties", 0.1):
            schema["maxProperties"] = rng.choice((0, 1, 2, 3))
        if self.chance("dependentRequired", 0.12):
            schema["dependentRequired"] = {name: names(2) for name in names(2)}
        if depth > 0 and self.chance("dependentSchemas", 0.12):
            schema["dependentSchemas"] = {name: self.schema(depth - 1, False, "object") for name in names(2)}

    def add_applicator(self, schema, depth, consumed, focus):
        rng = self.rng
        part = lambda: self.schema(depth, consumed, focus if rng.random() < 0.8 else None)
        keyword = rng.choice(("allOf", "anyOf", "oneOf", "not", "if", "if"))
        if keyword == "not":
            schema["not"] = part()
        elif keyword == "if":
            for name, chance in (("if", 0.95), ("then", 0.7), ("else", 0.6)):
                if rng.random() < chance:
                    schema[name] = part()
        else:
            schema[keyword] = [part() for _ in range(rng.randint(1, 3))]

    def value(self, depth):
        return values.value(self.rng, depth)
