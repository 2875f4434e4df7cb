"""Compares articles with the sources: tables of names, and code that is quoted from an example app."""
import json
import pathlib
import re

CATALOG = "Sources/Documentation/SwiftTracking.docc"


def names(text, pattern):
    return sorted(set(re.findall(pattern, text)))


def first_column(text, heading=None):
    """The names in backticks that begin the rows of a page's tables, or of those below a heading."""
    if heading:
        text = text.split(f"## {heading}\n", 1)[1].split("\n## ", 1)[0]
    return sorted(set(re.findall(r"^\| `([^`]+)` \|", text, re.M)))


def tables(read):
    """Pairs: what a page lists, and what the sources have."""
    page = lambda name: read(f"{CATALOG}/{name}.md")
    codes = names(read("Sources/Commands/CommandSupport/ExitStatus.swift"), r"case \w+ = (\d+)")
    yield "ExitCodes", sorted(re.findall(r"^\| (\d+) \|", page("Reference/ExitCodes"), re.M)), codes
    annotations = names(read("Sources/Plan/TrackingPlan/Model/PlanAnnotation.swift"), r'case \w+ = "(x-[a-z-]+)"')
    yield "SchemaAnnotations", first_column(page("Reference/SchemaAnnotations")), annotations
    database = read("Sources/SDK/EventLog/SQLite/DatabaseSchema.swift")
    made = set(names(database, r"CREATE (?:TABLE|VIEW) (\w+)")) - {"ledger_ranges", "placeholder"}
    yield "DatabaseTables", first_column(page("Reference/DatabaseTables")), sorted(made)
    version = re.search(r"static let version = (\d+)", database).group(1)
    yield "DatabaseTables' format", re.findall(r"format (\d+)\.$", page("Reference/DatabaseTables"), re.M), [version]
    routes = json.loads(read("Sources/Collector/CServedFiles/openapi.json"))["paths"]
    methods = ("get", "post", "put", "delete", "options")
    requests = sorted(f"{method.upper()} {path}" for path, one in routes.items() for method in one if method in methods)
    yield "CollectorAPI", first_column(page("Reference/CollectorAPI")), requests
    places = ("Observing/CollectorMetrics", "Routes/HealthRoutes")
    metrics = "".join(read(f"Sources/Collector/CollectorServer/{place}.swift") for place in places)
    known = names(metrics, r'"(collector_[a-z_]+)"')
    known += [f"collector_forwarding_{name}" for name in names(metrics.split("for (name, value) in [")[1].split("] {")[0], r'\("([a-z_]+)",')]
    yield "CollectorMetrics", first_column(page("Reference/CollectorMetrics"), "Overview"), sorted(known)
    loader = read("Sources/Warehouse/Warehouse/Loading/LoaderMetrics.swift")
    written = [f"tracking_loader_{name}" for name in names(loader, r'add\(\s*"([a-z_]+)", kind: "(?:counter|gauge)"')]
    yield "CollectorMetrics' loader", first_column(page("Reference/CollectorMetrics"), "The loader's metrics"), sorted(written)
    reasons = names(read("Sources/SDK/EventLog/Model/DropReason.swift"), r'case \w+ = "([a-z-]+)"')
    yield "Completeness", first_column(page("Concepts/Completeness"), "Reasons"), reasons
    drawn = names(read(f"{CATALOG}/Resources/layers.svg"), r"<text x[^>]*>([\w-]+)</text>")
    mapped = re.findall(r"[\w-]+", read("CONTRIBUTING.md").split("<!-- layers -->")[1].split("<!-- end of layers -->")[0])
    yield "layers.svg", [one for one in drawn if one not in mapped], []


def quotes(pages, read):
    for path, text in pages.items():
        for source, code in re.findall(r"<!-- source: (\S+) -->\n```swift\n(.*?)^```$", text, re.S | re.M):
            # The example apps mark their lines of tracking with comments.
            if code not in re.sub(r"^ *// tracking: (?:begin|end)\n", "", read(source), flags=re.M):
                yield f"{path}: this code is not in {source}:\n{code}"


def faults(root, read=None):
    read = read or (lambda path: (root / path).read_text(encoding="utf-8"))
    pages = {str(path.relative_to(root)): read(str(path.relative_to(root))) for path in sorted((root / CATALOG).rglob("*.md"))}
    found = [
        f"{name} lists other names than the sources: " + ", ".join(
            [f"+ {one}" for one in here if one not in there] + [f"- {one}" for one in there if one not in here])
        for name, here, there in tables(read) if here != there]
    found += quotes(pages, read)
    # Swift that nothing compiles.
    for path, text in pages.items():
        loose = re.sub(r"<!-- (?:source|file|snippet)[^\n]*-->\n```swift\n.*?^```$", "", text, flags=re.S | re.M)
        found += [f"{path}: Swift without a mark, which nothing compiles"] * ("```swift" in loose)
    return found
