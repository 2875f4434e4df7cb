"""Random values."""

from agreement import samples


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
