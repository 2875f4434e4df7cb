"""The known errors of the other validators."""

import json
import pathlib

FILE = pathlib.Path(__file__).resolve().parent.parent / "known-faults.json"
# Keywords whose value holds no schemas, and those whose value holds them by name.
PLAIN = {"const", "enum", "default", "unknownKeyword", "x-else", "dependentRequired", "required"}
MAPS = {"properties", "patternProperties", "$defs", "dependentSchemas"}
IGNORED = {"$schema", "$id", "$defs", "$anchor", "type"}


def keywords(schema, is_schema=True):
    """Every keyword in a schema, and every format as `format: name`."""
    found = set()
    if isinstance(schema, list):
        for part in schema:
            found |= keywords(part)
    elif isinstance(schema, dict):
        for keyword, part in schema.items():
            if is_schema:
                found.add(keyword)
                if keyword == "format":
                    found.add(f"format: {part}")
                if keyword in PLAIN:
                    continue
            found |= keywords(part, not is_schema or keyword not in MAPS)
    return found


class KnownFaults:
    """An error is identified by the validator, the verdicts, and a keyword of the smallest schema."""

    def __init__(self):
        self.entries = json.loads(FILE.read_text())

    def find(self, schema, ours, rust, python):
        """The entry for a smallest schema of which the three say so; None if there is none."""
        found = keywords(schema)
        mine = ours.split(" ")[0]
        wrong = {name: verdict.split(" ")[0] for name, verdict in (("jsonschema-rs", rust), ("jsonschema", python))
                 if verdict.split(" ")[0] != mine}
        for entry in self.entries:
            if (list(wrong) == entry["validators"] and set(wrong.values()) <= set(entry["say"])
                    and set(entry["keywords"]) & found and not set(entry.get("without", ())) & found
                    and entry.get("text", "") in rust):
                return entry
        return None
