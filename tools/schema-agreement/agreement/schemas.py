"""Random schemas over every vocabulary of draft 2020-12 that asserts something.

A reference in place, which stays at its value, leads only to a definition with a higher number; behind a keyword that
goes on to a child, it may lead anywhere. So no schema refers to itself without going on in the instance.
"""

import dataclasses

from agreement import formats, samples

TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
BASE = "https://example.com/schemas/root.json"


# Keywords that a schema is made of for the most part, and the types that it is about.
THEMES = [
    (set(), ["string", "number", "object", "object", "object", "array", "array", "any"]),
    ({"format"}, ["string", "string", "object", "array"]),
    ({"format", "type", "properties", "required"}, ["object", "string"]),
    ({"pattern", "minLength", "maxLength"}, ["string", "object", "array"]),
    ({"multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum"}, ["number", "number", "array"]),
    ({"enum", "const", "uniqueItems", "items"}, ["array", "array", "any", "number"]),
    ({"contains", "minContains", "maxContains", "minItems", "maxItems"}, ["array", "array", "number"]),
    ({"unevaluatedItems", "prefixItems", "contains", "$ref", "applicator"}, ["array", "array", "array", "number"]),
    ({"unevaluatedProperties", "properties", "patternProperties", "$ref", "applicator"}, ["object", "object", "number"]),
    ({"unevaluatedProperties", "properties", "dependentSchemas", "additionalProperties", "applicator"}, ["object"]),
    ({"dependentRequired", "dependentSchemas", "required", "minProperties", "maxProperties", "propertyNames"},
     ["object", "object", "object", "string"]),
    ({"patternProperties", "additionalProperties", "propertyNames", "properties"}, ["object", "object", "string"]),
    ({"applicator", "type"}, ["string", "number", "object", "array", "any"]),
    ({"$id", "$dynamicRef", "$dynamicAnchor", "$ref", "properties", "items"}, ["object", "object", "array"]),
    ({"$id", "$dynamicRef", "$dynamicAnchor", "$ref", "unevaluatedProperties", "properties"}, ["object"]),
    ({"$ref", "properties", "items", "required"}, ["object", "array", "string", "number"]),
]


@dataclasses.dataclass
class Place:
    """A schema that can be referred to."""

    number: int  # -1 for the root
    name: str = ""
    uri: str | None = None  # its $id as it is written
    absolute: str | None = None
    anchor: str | None = None
    dynamic: str | None = None
    schema: object = None


class SchemaMaker:
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

    def make_dynamic(self):
        """Lets the root extend a resource of which a child is meant to be extended too."""
        rng = self.rng
        extended = [place for place in self.places if place.absolute and place.dynamic]
        if not extended or not isinstance(self.root.schema, dict):
            return
        place = rng.choice(extended)
        # What the child is to satisfy on top of what the extended schema asks.
        self.theme, theme = set(), self.theme
        self.place = self.root
        more = self.schema(1, False, rng.choice(("object", "object", "array")))
        self.theme = theme
        for keyword in ("required", "minProperties", "maxProperties", "propertyNames", "maxItems", "minItems", "type",
                        "additionalProperties", "items", "contains", "properties"):
            if isinstance(more, dict) and keyword in more:
                self.root.schema.setdefault(keyword, more[keyword])
        self.root.schema.pop("$dynamicRef", None)
        self.root.schema["$ref"] = place.absolute
        self.targets[id(self.root.schema)] = place
        child = {"$dynamicRef": "#node"}
        self.targets[id(child)] = self.root if self.root.dynamic else place
        self.kept.append(child)
        if rng.random() < 0.6:
            place.schema.setdefault("properties", {})[rng.choice(samples.NAMES)] = child
        else:
            place.schema["items"] = child

    def name_dynamic_anchors(self):
        """Gives a resource at most one dynamic anchor of a name."""
        if not self.chance("$dynamicAnchor", 0.4) and "$dynamicRef" not in self.theme:
            return
        taken = set()
        for place in [self.root, *self.places]:
            if self.rng.random() < (0.85 if "$dynamicRef" in self.theme else 0.6):
                resource = place.absolute or BASE
                if resource not in taken:
                    taken.add(resource)
                    place.dynamic = "node"

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

    def add_reference(self, schema, consumed):
        rng = self.rng
        if consumed and self.chance("$dynamicRef", 0.5):
            here = self.resource_root()
            names = [place for place in [self.root, *self.places]
                     if place.dynamic and (place.absolute or BASE) == here]
            if names:
                schema["$dynamicRef"] = "#node"
                self.targets[id(schema)] = self.root if self.root.dynamic else names[0]
                return
        choices = self.places[self.place.number + 1:] if not consumed else [self.root, *self.places]
        if not choices:
            return
        target = rng.choice(choices)
        written = self.written(target)
        if written is not None:
            schema["$ref"] = written
            self.targets[id(schema)] = target

    def resource_root(self):
        return self.place.absolute or BASE

    def written(self, target):
        """A reference from the current place to a target; None if there is no way to write one."""
        rng = self.rng
        pointer = "#" if target.number < 0 else "#/$defs/" + escaped(target.name, rng)
        in_root = self.place.absolute is None
        ways = []
        if in_root or self.root.absolute:
            prefix = "" if in_root and rng.random() < 0.7 or not self.root.absolute else BASE
            if not in_root:
                prefix = BASE
                if self.place.absolute.startswith("https://example.com/schemas/defs/") and rng.random() < 0.5:
                    prefix = "../root.json"
            ways.append(prefix + pointer)
            if target.anchor and (target.absolute is None or target.number < 0):
                ways.append(prefix + "#" + target.anchor)
            if target.dynamic and (target.absolute is None or target.number < 0):
                ways.append(prefix + "#" + target.dynamic)
        if target.absolute and target.number >= 0:
            uri = target.absolute
            if in_root and rng.random() < 0.5:
                uri = target.uri
            ways += [uri, uri + "#"]
            if target.anchor:
                ways.append(uri + "#" + target.anchor)
            if target is self.place:
                ways.append("#")
        return rng.choice(ways) if ways else None

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
        return value(self.rng, depth)


def value(rng, depth):
    """A random value."""
    kind = rng.choice(("string", "number", "number", "literal", "array", "object") if depth > 0 else (
        "string", "number", "literal"))
    if kind == "string":
        return text(rng)
    if kind == "number":
        return rng.choice(samples.NUMBERS)
    if kind == "literal":
        return rng.choice((None, True, False))
    if kind == "array":
        return [value(rng, depth - 1) for _ in range(rng.choice((0, 1, 1, 2, 3)))]
    return {rng.choice(samples.NAMES): value(rng, depth - 1) for _ in range(rng.choice((0, 1, 2, 3)))}


def text(rng):
    """A random string."""
    if rng.random() < 0.7:
        return rng.choice(samples.STRINGS)
    return "".join(rng.choice(samples.LETTERS) for _ in range(rng.randint(0, 6)))


def escaped(name, rng):
    """A name as a token of a JSON pointer in a fragment."""
    token = name.replace("~", "~0").replace("/", "~1").replace("%", "%25").replace(" ", "%20")
    if not token.isascii():
        token = "".join(c if c.isascii() else "".join(f"%{byte:02X}" for byte in c.encode()) for c in token)
    return token
