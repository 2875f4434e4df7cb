"""The power of the pairs: for how many of them a keyword decides the verdict."""

from agreement import faults, validators


def without(schema, word, is_schema=True):
    """The schema without a keyword, or without one format."""
    if isinstance(schema, list):
        return [without(part, word) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {}
    for keyword, part in schema.items():
        if is_schema and word in (keyword, f"format: {part}" if keyword == "format" else None):
            continue
        if is_schema and keyword in faults.PLAIN:
            made[keyword] = part
        else:
            made[keyword] = without(part, word, not is_schema or keyword not in faults.MAPS)
    return made


def static(schema):
    """The schema with a $ref to the resource for every $dynamicRef, which is where most of them start."""
    if isinstance(schema, list):
        return [static(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    made = {keyword: static(part) for keyword, part in schema.items() if keyword != "$dynamicRef"}
    if "$dynamicRef" in schema:
        made["$ref"] = "#"
    return made


def decisive(schema, instances, validator):
    """The words without which the verdict on an instance is another, each as often as it is so."""
    verdicts = validator.verdicts(schema, instances)
    changes = {"$dynamicRef, not static": static(schema)}
    for word in faults.keywords(schema) - {"$defs", "$id", "$anchor", "format"}:
        changes[word] = without(schema, word)
    for word, changed in changes.items():
        try:
            others = validator.verdicts(changed, instances)
        except validators.Ended:
            continue
        for before, after in zip(verdicts, others):
            if before != after and not after.startswith("error"):
                yield word
