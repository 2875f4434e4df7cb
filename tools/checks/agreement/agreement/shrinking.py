"""Reduces a pair while it still shows the disagreement."""

from decimal import Decimal


def smaller_values(value):
    """Values that are one step simpler."""
    if isinstance(value, list):
        for index in range(len(value)):
            yield value[:index] + value[index + 1:]
        for index, element in enumerate(value):
            for simpler in smaller_values(element):
                yield value[:index] + [simpler] + value[index + 1:]
    elif isinstance(value, dict):
        for name in value:
            yield {other: member for other, member in value.items() if other != name}
        for name, member in value.items():
            for simpler in smaller_values(member):
                yield {other: simpler if other == name else kept for other, kept in value.items()}
    elif isinstance(value, str):
        if value:
            yield ""
        for index in range(len(value)):
            yield value[:index] + value[index + 1:]
    elif isinstance(value, bool):
        yield None
    elif isinstance(value, (int, Decimal)) and value not in (0, 1):
        yield 0
        yield 1
    elif value is not None and not isinstance(value, (int, Decimal)):
        yield None


def smaller_schemas(schema):
    """Schemas that are one step simpler: a keyword less, a part in place of the whole, a part simpler."""
    if not isinstance(schema, dict):
        return
    if schema:
        yield True
        yield False
    for keyword in schema:
        yield {other: part for other, part in schema.items() if other != keyword}
    for keyword, part in schema.items():
        if keyword in ("enum", "const"):
            simpler = smaller_values(part)
            if keyword == "enum":
                simpler = (each for each in simpler if isinstance(each, list) and each)
        elif keyword in ("allOf", "anyOf", "oneOf", "prefixItems"):
            simpler = [part[:index] + part[index + 1:] for index in range(len(part)) if len(part) > 1]
            simpler += [part[:index] + [each] + part[index + 1:] for index, one in enumerate(part)
                        for each in smaller_schemas(one)]
            yield from part
        elif keyword in ("properties", "patternProperties", "dependentSchemas", "$defs"):
            simpler = [{other: each for other, each in part.items() if other != name} for name in part]
            simpler += [{other: each if other == name else kept for other, kept in part.items()}
                        for name, one in part.items() for each in smaller_schemas(one)]
        elif isinstance(part, dict) and keyword != "dependentRequired":
            simpler = smaller_schemas(part)
            yield part
        elif keyword in ("required", "dependentRequired"):
            simpler = smaller_values(part)
            simpler = (each for each in simpler if keyword == "required" or all(
                isinstance(names, list) for names in each.values()))
        else:
            simpler = ()
        for each in simpler:
            yield {other: each if other == keyword else kept for other, kept in schema.items()}


def shrink(schema, instance, is_interesting, tries=3000):
    """The smallest pair that was found."""
    progress = True
    while progress and tries > 0:
        progress = False
        for schemas, instances in ((smaller_schemas(schema), [instance]), ([schema], smaller_values(instance))):
            for smaller_schema in schemas:
                for smaller_instance in instances:
                    tries -= 1
                    if tries > 0 and is_interesting(smaller_schema, smaller_instance):
                        schema, instance, progress = smaller_schema, smaller_instance, True
                        break
                if progress:
                    break
            if progress:
                break
    return schema, instance
