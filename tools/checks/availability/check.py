"""Checks that the code that an app embeds runs on the oldest platforms of Package.swift.

    check.py [--list]   checks this package; --list names every declaration with a version that it uses
    check.py --test     adds newer declarations to generated sources and shows that each is found

Two ways, since the compiler checks availability only where it builds for Apple's systems:

- The index of the last build has the symbols that each file uses, and the toolchain's modules have the versions of theirs:
  the standard library, Concurrency, Observation, Synchronization, Foundation.
- newer.json lists what has no version there: features of the language that need a newer runtime, and frameworks of Apple.
  Its second list has what the first way reports although it is allowed, with the reason.

A line below an @available is a declaration that older systems do not see.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[2]
sys.path.append(str(HERE.parent / "layers"))

import index  # noqa: E402

MODULES = [
    "Swift", "_Concurrency", "_StringProcessing", "Observation", "Synchronization", "Dispatch", "FoundationEssentials",
    "Foundation",
]
SYSTEMS = ["macOS", "iOS", "tvOS", "watchOS", "visionOS"]
# Comments and literals: what they name is not used.
IGNORED = re.compile(r'"""(?:.|\n)*?"""|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*(?:.|\n)*?\*/')


def version(text):
    """ "15.4" as numbers that compare."""
    numbers = [int(number) for number in str(text).split(".")]
    return tuple((numbers + [0, 0])[:2])


def written(numbers):
    return ".".join(map(str, numbers))


def described(root):
    return json.loads(subprocess.run(
        ["swift", "package", "--package-path", str(root), "dump-package"], capture_output=True, text=True, check=True
    ).stdout)


def floors(package):
    """By system: the oldest version that the package supports."""
    found = {one["platformName"].lower(): version(one["version"]) for one in package["platforms"]}
    missing = [system for system in SYSTEMS if system.lower() not in found]
    if missing:
        sys.exit(f"availability: Package.swift names no oldest version of {', '.join(missing)}")
    return {system: found[system.lower()] for system in SYSTEMS}


def embedded(package, root):
    """The Swift files of all targets that a library product reaches, by path."""
    targets = {target["name"]: target for target in package["targets"]}
    waiting = [
        name for product in package["products"] if "library" in product["type"] for name in product["targets"]
    ]
    reached = set()
    while waiting:
        name = waiting.pop()
        if name in targets and name not in reached:
            reached.add(name)
            waiting += [next(iter(one.values()))[0] for one in targets[name]["dependencies"]]
    files = {}
    for name in sorted(reached):
        path = targets[name].get("path") or f"Sources/{name}"
        for file in sorted((root / path).rglob("*.swift")):
            if ".docc/" not in str(file):
                files[str(file.relative_to(root))] = file.read_text()
    return reached, files


def introductions():
    """By USR: the name of a declaration of the toolchain's modules, and the version of each system that brought it."""
    triple = json.loads(subprocess.run(
        ["swift", "-print-target-info"], capture_output=True, text=True, check=True).stdout)["target"]["triple"]
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        for module in MODULES:
            done = subprocess.run(
                ["swift", "symbolgraph-extract", "-module-name", module, "-target", triple, "-output-dir", folder],
                capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"availability: cannot read the module {module}: {done.stderr.strip()[:200]}")
        for file in Path(folder).glob("*.json"):
            for symbol in json.loads(file.read_text())["symbols"]:
                since = {}
                for one in symbol.get("availability", []):
                    if one.get("domain") in SYSTEMS and "introduced" in one:
                        numbers = (one["introduced"]["major"], one["introduced"].get("minor", 0))
                        since[one["domain"]] = max(since.get(one["domain"], (0, 0)), numbers)
                if since:
                    found[symbol["identifier"]["precise"]] = (".".join(symbol["pathComponents"]), since)
    return found


def is_marked(name, text):
    """Whether a text names a declaration, and only below an @available."""
    last = name.split(".")[-1].split("(")[0]
    lines = text.split("\n")
    named = [number for number, line in enumerate(lines) if re.search(rf"\b{re.escape(last)}\b", line)]
    return bool(named) and all(lines[number - 1].lstrip().startswith("@available(") for number in named)


def newer_symbols(uses, files, since, oldest, allowed):
    """A line for each declaration that a file uses and an oldest system lacks.

    - uses: By path, the USRs of the symbols.
    - files: By path, the text without comments.
    - since: By USR, a name and the versions.
    - allowed: Names that are not reported.
    """
    wrong = []
    for path, usrs in sorted(uses.items()):
        for name, versions in sorted({since[usr][0]: since[usr][1] for usr in usrs if usr in since}.items()):
            late = [f"{system} {written(versions[system])}" for system in SYSTEMS
                    if system in versions and versions[system] > oldest[system]]
            if late and name not in allowed and not is_marked(name, files[path]) and not is_marked(
                    name.split(".")[0], files[path]):
                wrong.append(f"{path}: {name} needs {', '.join(late)}")
    return wrong


def blanked(text):
    """The text without comments and what is in its literals, its lines where they were."""
    def rest(match):
        lines = "\n" * match.group().count("\n")
        return f'"{lines}"' if match.group().startswith('"') else lines
    return IGNORED.sub(rest, text)


def newer_text(files, listed, oldest):
    """A line for each place that has something of the list."""
    wrong = []
    for entry in listed:
        system, since = entry["since"].split()
        if version(since) <= oldest[system]:
            continue
        pattern = re.compile(entry["pattern"])
        for path, text in files.items():
            for match in pattern.finditer(text):
                line = text.count("\n", 0, match.start()) + 1
                if line > 1 and text.split("\n")[line - 2].lstrip().startswith("@available("):
                    continue
                wrong.append(f"{path}:{line}: {entry['name']} needs {entry['since']}: use {entry['instead']}")
    return wrong


def table():
    """What newer.json lists: patterns, and the names of what is allowed with the reasons."""
    read = json.loads((HERE / "newer.json").read_text())
    return read["newer"], {entry["name"]: entry["why"] for entry in read["allowed"]}


def self_test():
    oldest = {"macOS": (14, 0), "iOS": (17, 0), "tvOS": (17, 0), "watchOS": (10, 0), "visionOS": (1, 0)}
    listed, _ = table()
    planted = {
        "Synchronization": "internal import Synchronization",
        "isolated deinit": "isolated deinit { stop() }",
        "Int128, UInt128": "let sum: UInt128 = 0",
        "InlineArray": "var words: InlineArray<4, Int>",
        "UTF8Span": "let bytes = name.utf8Span",
        "RangeSet": "var rows = RangeSet<Int>()",
        "AsyncSequence with an error type": "func lines() -> some AsyncSequence<String, Never>",
        "next(isolation:)": "await lines.next(isolation: nil)",
        "TaskExecutor": "Task(executorPreference: queue) {}",
        "Task.immediate": "Task.immediate {}",
        "Observations": "for await count in Observations({ model.count }) {}",
        "metadata of typed throws": "let answers: Locked<() throws(Failure) -> Void>",
        "UIUpdateLink": "let link = UIUpdateLink(view: view)",
        "NotificationCenter messages": "struct Moved: NotificationCenter.MainActorMessage {}",
        "onScrollVisibilityChange": "row.onScrollVisibilityChange { _ in }",
        "Tab": 'Tab("Home", systemImage: name) {}',
        "UIGestureRecognizerRepresentable": "struct Pan: UIGestureRecognizerRepresentable {}",
        "UIHostingSceneDelegate": "final class Scenes: UIHostingSceneDelegate {}",
    }
    for entry in listed:
        name = entry["name"]
        if name not in planted:
            sys.exit(f"availability: {name} of newer.json has no example in the self-test: add one")
        found = newer_text({"File.swift": blanked("\n" + planted[name])}, listed, oldest)
        if not any(line.startswith(f"File.swift:2: {name} needs") for line in found):
            sys.exit(f"availability: the check does not detect {name}: it finds {found}")
    quiet = blanked('// import Synchronization\nlet text = "Int128"\n/* isolated deinit */\n')
    if newer_text({"File.swift": quiet}, listed, oldest) or quiet.count("\n") != 3:
        sys.exit("availability: the check reports names in comments and literals")
    if newer_text({"File.swift": planted["Synchronization"]}, listed, {**oldest, "macOS": (15, 0)}):
        sys.exit("availability: the check reports a declaration that the oldest systems have")

    since = {"s:new": ("New", {"macOS": (15, 0), "visionOS": (1, 0)}), "s:old": ("Old", {"macOS": (14, 0), "iOS": (17, 0)})}

    def found(usrs, text, allowed=()):
        return newer_symbols({"File.swift": usrs}, {"File.swift": text}, since, oldest, allowed)

    if found({"s:old", "s:unversioned"}, "Old()"):
        sys.exit("availability: the check reports a declaration that the oldest systems have")
    if found({"s:new"}, "New()") != ["File.swift: New needs macOS 15.0"]:
        sys.exit("availability: the check does not detect a newer declaration")
    if found({"s:new"}, "New()", {"New"}) or found({"s:new"}, "@available(macOS 15, *)\nfunc make() -> New"):
        sys.exit("availability: the check reports a declaration that is allowed or marked")
    if len(found({"s:new"}, "@available(macOS 15, *)\nfunc make() -> New\nlet made: New")) != 1:
        sys.exit("availability: the check does not detect a newer declaration next to a marked one")
    # The toolchain's own versions, not made-up ones: else an empty table would find nothing for ever.
    known = introductions()
    for name in ["Int128", "Mutex", "Atomic", "AtomicLazyReference", "TaskExecutor"]:
        usrs = {usr for usr, (known_name, _) in known.items() if known_name == name}
        if not newer_symbols({"File.swift": usrs}, {"File.swift": name}, known, oldest, ()):
            sys.exit(f"availability: the toolchain's modules do not state which version introduced {name}")
    print(f"availability: each of {len(listed) + 7} planted declarations was found")


def main():
    if sys.argv[1:] == ["--test"]:
        return self_test()
    package = described(ROOT)
    oldest = floors(package)
    targets, files = embedded(package, ROOT)
    listed, allowed = table()
    files = {path: blanked(text) for path, text in files.items()}
    wrong = newer_text(files, listed, oldest)

    built = index.symbols_by_file(ROOT / ".build-plain/debug/index/store", ROOT)
    uses = {
        path: built[path][2] for path in files
        if path in built and built[path][1] >= (ROOT / path).stat().st_mtime
    }
    missing = sorted(set(files) - set(uses))
    if missing:
        wrong.append(f"{missing[0]} and {len(missing) - 1} more are not built: run  tools/checks/plain-build")
    since = introductions()
    wrong += newer_symbols(uses, files, since, oldest, allowed)
    reported = {since[usr][0] for usrs in uses.values() for usr in usrs if usr in since}
    wrong += [f"newer.json: nothing uses {name}: take it off the list" for name in sorted(set(allowed) - reported)]
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        sys.exit(1)

    used = {since[usr][0]: since[usr][1] for usrs in uses.values() for usr in usrs if usr in since}
    by_version = sorted((versions.get("macOS", (0, 0)), name) for name, versions in used.items())
    print(
        f"availability: {len(files)} files of {len(targets)} targets use {len(used)} declarations with a version, none newer "
        f"than {', '.join(f'{system} {written(oldest[system])}' for system in SYSTEMS)}")
    shown = by_version if sys.argv[1:] == ["--list"] else [one for one in by_version if one[0] >= (13, 0)]
    for numbers, name in shown:
        print(f"  macOS {written(numbers)}  {name}")


main()
