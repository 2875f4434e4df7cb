"""The schemas that can be referred to, and the ways to write that."""

import dataclasses

from agreement import samples

BASE = "https://example.com/schemas/root.json"


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


class References:
    """The part of a SchemaMaker that knows who may refer to whom.

    A reference in place, which stays at its value, leads only to a definition with a higher number; behind a keyword
    that goes on to a child, it may lead anywhere. So no schema refers to itself without going on in the instance.
    """

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


def escaped(name, rng):
    """A name as a token of a JSON pointer in a fragment."""
    token = name.replace("~", "~0").replace("/", "~1").replace("%", "%25").replace(" ", "%20")
    if not token.isascii():
        token = "".join(c if c.isascii() else "".join(f"%{byte:02X}" for byte in c.encode()) for c in token)
    return token
