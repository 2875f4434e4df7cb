"""The measured commands: every command of trackctl that reads lines, with lines from `inputs.py`."""
import dataclasses
import json


@dataclasses.dataclass
class Case:
    name: str
    # What begins with @ is one of the inputs.
    arguments: list
    # A file that comes by a pipe as standard input.
    piped: str = None
    # What it writes, and nothing after it reads.
    output: str = None
    # Statuses that are no failure: 1 stands for findings.
    statuses: tuple = (0,)
    # How many times the lines are read.
    passes: float = 1


FORMATS = ["pretty", "table", "csv", "tsv", "json-seq", "cloudevents", "segment", "otlp"]
FUNNELS = ["--funnel", "launch > search", "--funnel", "search > page-view:repository-detail > background"]


def all_cases(inputs):
    """The cases in order: later cases read what earlier ones write."""
    return [
        *dumps(inputs), *databases(inputs), *figures(inputs), *checks(inputs), *merges(inputs), *imports(inputs),
        *generations(inputs), *replays(inputs), *varieties(inputs), *care(inputs),
    ]


def dumps(inputs):
    lines, half = "@lines", str(inputs.count // 2)
    yield Case("dump", ["dump", lines])
    for name in FORMATS:
        yield Case(f"dump -o {name}", ["dump", lines, "-o", name])
    yield Case("dump -f", ["dump", lines, "-f", "%{time:rfc3339} %{event.name} %{event.value.page:-none}"])
    yield Case("dump --fields", ["dump", lines, "--fields", "time,event.name,event.value.page"])
    yield Case("dump --redact", ["dump", lines, "--redact", "user_id=hash", "--redact", "event.value.query"])
    yield Case("dump --partition", ["dump", lines, "--partition", "dt=%Y-%m-%d/hour=%H/event=%{event.name}", "--into",
                                    inputs.path("lake")], output="lake")
    yield Case("dump --reverse", ["dump", lines, "--reverse"])
    yield Case("dump --last", ["dump", lines, "--last", half])
    yield Case("dump --last --reverse", ["dump", lines, "--last", half, "--reverse"])
    yield Case("dump --limit", ["dump", lines, "--limit", half], passes=0.5)
    yield Case("dump --sample", ["dump", lines, "--sample", "10%", "--sample-key", "user_id"])
    yield Case("dump --where", ["dump", lines, "--where", 'event.value.page >= 2 && event.name ~ "s*"'])
    yield Case("dump --since", ["dump", lines, "--since", "2018-09-12T12:00:00Z", "--event", "page-*"])
    yield Case("dump --strict", ["dump", lines, "--strict"])
    yield Case("dump --show-cursor", ["dump", lines, "--show-cursor"])
    yield Case("dump .gz", ["dump", "@gzip"])
    if inputs.has_zstd:
        yield Case("dump .zst", ["dump", "@zstd"])
    yield Case("dump -", ["dump", "-"], piped=lines)
    yield Case("dump - --reverse", ["dump", "-", "--reverse"], piped=lines)
    yield Case("tail", ["tail", lines])
    yield Case("tail -n", ["tail", lines, "-n", half])


def databases(inputs):
    database, half = "@database", str(inputs.count // 2)
    yield Case("replay to a database", ["replay", "@lines", "--to", database])
    yield Case("dump, of a database", ["dump", database])
    yield Case("dump -o csv, of a database", ["dump", database, "-o", "csv"])
    yield Case("dump --reverse, of a database", ["dump", database, "--reverse"])
    yield Case("dump --last, of a database", ["dump", database, "--last", half])
    yield Case("dump --where, of a database", ["dump", database, "--where", "event.value.page >= 2"])
    yield Case("dump --since, of a database", ["dump", database, "--since", "2018-09-12T12:00:00Z", "--event", "page-*"])
    yield Case("tail -n, of a database", ["tail", database, "-n", half])
    yield Case("stats, of a database", ["stats", database])
    yield Case("validate, of a database", ["validate", database, "--schemas", inputs.schemas])
    yield Case("report, of a database", ["report", database, *FUNNELS])


def figures(inputs):
    lines = "@lines"
    yield Case("stats", ["stats", lines])
    yield Case("stats --by", ["stats", lines, "--by", "minute"])
    yield Case("stats --json", ["stats", lines, "--json"])
    yield Case("stats, each second number missing", ["stats", "@even"], passes=0.5)
    yield Case("stats --json, each second number missing", ["stats", "@even", "--json"], passes=0.5)
    yield Case("report", ["report", lines, "-o", inputs.path("report.html"), *FUNNELS, "--within", "1d", "--schemas",
                          inputs.schemas], output="report.html")
    yield Case("report --funnel-by", ["report", lines, *FUNNELS, "--funnel-by", "session_id"])


def checks(inputs):
    lines, schemas = "@lines", inputs.schemas
    for name in ["text", "json", "junit", "sarif"]:
        yield Case(f"validate --format {name}", ["validate", lines, "--schemas", schemas, "--format", name])
    yield Case("validate, of invalid lines", ["validate", lines, "--schemas", "@refusing_schemas", "--rejects",
                                              inputs.path("rejects.jsonl")], output="rejects.jsonl", statuses=(1,))
    yield Case("coverage", ["coverage", lines, "--schemas", schemas])
    yield Case("assert", ["assert", inputs.file("spec.json", json.dumps(SPEC)), lines, "--schemas", schemas],
               statuses=(0, 1))
    yield Case("assert -e", ["assert", "-e", "search >= 1", "-e", "crash == 0", lines])


def merges(inputs):
    yield Case("merge", ["merge", "@even", "@odd"])
    yield Case("merge --keep-doubles", ["merge", "@even", "@odd", "--keep-doubles"])
    yield Case("merge of doubles", ["merge", "@lines", "@lines"], passes=2)


def imports(inputs):
    mapping = inputs.file("mapping.json", json.dumps(MAPPING))
    for name, target in [("to standard output", "-"), ("to a file", "imported.jsonl"), ("to a database", "made.sqlite")]:
        yield Case(f"import {name}", ["import", "@lines", "--mapping", mapping, "--to",
                                      target if target == "-" else inputs.path(target)], output=target)


def generations(inputs):
    count = str(inputs.count)
    yield Case("generate", ["generate", "--schemas", inputs.schemas, "--count", count])
    yield Case("generate --users", ["generate", "--schemas", inputs.schemas, "--count", count, "--users", "100k"])
    yield Case("generate to a .gz", ["generate", "--schemas", inputs.schemas, "--count", count, "--to", inputs.path("generated.jsonl.gz")],
               output="generated.jsonl.gz")


def replays(inputs):
    lines = "@lines"
    yield Case("replay to null:", ["replay", lines, "--to", "null:"])
    yield Case("replay to a file", ["replay", lines, "--to", inputs.path("replayed.jsonl")], output="replayed.jsonl")
    yield Case("replay to a .gz", ["replay", lines, "--to", inputs.path("replayed.jsonl.gz")], output="replayed.jsonl.gz")
    yield Case("replay --new-ids --set", ["replay", lines, "--to", "null:", "--new-ids", "--time", "shift", "--set",
                                          "context.app=Other 2.0", "--set", "user_id=someone"])
    yield Case("replay --resume", ["replay", lines, "--to", inputs.path("kept.jsonl"), "--resume", inputs.path("state")],
               output="kept.jsonl")
    yield Case("replay --last", ["replay", lines, "--to", "null:", "--last", str(inputs.count // 2)])
    yield Case("replay --dry-run", ["replay", lines, "--dry-run", "--rate", "500/s"])
    yield Case("replay of a database", ["replay", "@database", "--to", "null:"])


def varieties(inputs):
    """Lines that nothing can be counted together of."""
    lines, schemas = "@varied", inputs.schemas
    for form in [[], ["--json"], ["--by", "minute"], ["--by", "minute", "--json"], ["--by", "minute", "--format", "csv"]]:
        yield Case(f"{' '.join(['stats', *form])}, varied", ["stats", lines, *form])
    yield Case("report, varied", ["report", lines, "--schemas", schemas, "--funnel", "event-* > event-1*"])
    for name in ["text", "sarif"]:
        yield Case(f"validate --format {name}, varied", ["validate", lines, "--schemas", schemas, "--format", name],
                   statuses=(0, 1))
    yield Case("coverage, varied", ["coverage", lines, "--schemas", schemas])
    yield Case("assert, varied", ["assert", inputs.file("spec.json", json.dumps(SPEC)), lines, "--schemas", schemas],
               statuses=(0, 1))
    yield Case("merge, varied", ["merge", lines])
    yield Case("import, varied", ["import", lines, "--mapping", inputs.file("mapping.json", json.dumps(MAPPING))])
    yield Case("replay, varied", ["replay", lines, "--to", inputs.path("varied.sqlite")], output="varied.sqlite")
    yield Case("doctor, varied", ["doctor", lines], statuses=(0, 1))


def care(inputs):
    database, user = "@database", f"user-{inputs.user}"
    yield Case("doctor, of lines", ["doctor", "@lines"], statuses=(0, 1))
    yield Case("doctor --thorough, of lines", ["doctor", "@lines", "--thorough"], statuses=(0, 1))
    yield Case("doctor, of a database", ["doctor", database], statuses=(0, 1))
    yield Case("doctor --thorough, of a database", ["doctor", database, "--thorough"], statuses=(0, 1))
    for name, path in [("lines", "@care_lines"), ("a database", database)]:
        yield Case(f"prune --user --dry-run, of {name}", ["prune", path, "--user", user, "--dry-run"], statuses=(0, 1))
        yield Case(f"prune --user, of {name}", ["prune", path, "--user", user], statuses=(0, 1))
    yield Case("prune --dry-run", ["prune", database, "--keep-events", str(inputs.count // 2), "--even-unsent", "--dry-run"],
               statuses=(0, 1))
    yield Case("prune", ["prune", database, "--keep-events", str(inputs.count // 2), "--even-unsent"])


SPEC = {
    "expectations": {
        "searches": {"where": 'event.name == "search"', "count": {"min": 1}},
        "no crash": {"match": {"event": {"name": "crash"}}, "none": True},
        "an order": {"sequence": [{"event": {"name": "launch"}}, {"event": {"name": "search"}}]},
        # Up to 111,111 users: as many are followed at most as fit into 17 bits.
        "an order by user": {
            "where": 'user_id ~ "user-1*"', "by": "user_id",
            "sequence": [{"event": {"name": "launch"}}, {"event": {"name": "search"}}, {"event": {"name": "crash"}}],
        },
        "valid": {"valid": True},
        "no gaps": {"gaps": False},
    }
}

MAPPING = {
    "install_id": "imported",
    "time": {"from": "time", "format": "s"},
    "id": {"from": "seq"},
    "user_id": {"from": "user_id"},
    "event": {"from": "event.name"},
    "events": {
        "search": {"name": "search", "value": {
            "query": {"template": "%{event.value.query} of %{user_id}"}, "page": {"from": "event.value.page"}}},
        "page-view": {"name": "page-view", "value": {"page": {"from": "event.value.page"}}},
        "notification": {"name": "notification", "value": {
            "identifier": {"from": "event.value.identifier"}, "user_info": {"from": "event.value.user_info"}}},
        "launch": {"name": "launch"},
        "background": {"name": "background"},
    },
}
