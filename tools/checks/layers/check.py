"""Compares the targets, their dependencies and their imports with the map of layers in CONTRIBUTING.md.

    check.py            checks this package
    check.py --test     adds each kind of error to a small generated package and shows that it is found
"""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import index

ROOT = Path(__file__).resolve().parents[3]
MAP = "CONTRIBUTING.md"
START, END = "<!-- layers -->", "<!-- end of layers -->"

# Only the command line may do this: lower layers throw descriptive errors, and print nothing.
COMMANDS = {"collector", "loader", "CommandSupport", "TrackctlCommands", "trackctl", "github-client", "tracking-codegen"}
OF_COMMANDS = re.compile(r"\b(CommandFailure|ExitStatus|ExitCode|exitStatus|exitCode)\b|(?<![.\w])(exit|print)\(")

IMPORT = re.compile(
    r"^(?: {4})?(?:(?:@testable|@_exported|@preconcurrency|public|package|internal|private|fileprivate) )*"
    r"import (?:(?:struct|class|enum|protocol|func|typealias) )?(\w+)", re.M)
# A module, or one declaration of it.
EXPORT = re.compile(
    r"^@_exported (?:public )?import (?:(?:struct|class|enum|protocol|typealias|func|let|var) )?(\w+)", re.M)
THROWN = re.compile(r"\bthrows\((\w+)\)")
DECLARATION = re.compile(r"\b(?:struct|enum|class) (\w+)")
# The modules that an import also provides.
REEXPORTED = {
    "Foundation": {
        "FoundationEssentials", "FoundationInternationalization", "Dispatch", "C", "Glibc", "SwiftGlibc", "Darwin",
        "CoreFoundation", "ObjectiveC",
    },
    "Dispatch": {"C"}, "CAtomics": {"C"}, "CDigest": {"C"}, "CServedFiles": {"C"}, "CThreadStack": {"C"}, "CZlib": {"C"}, "CZstd": {"C"}, "GRDB": {"C"}, "GRDBSQLite": {"C"},
    "CNATS": {"C"}, "Hummingbird": {"HTTPTypes", "HummingbirdCore", "NIOCore"}, "Metrics": {"CoreMetrics"},
    "NIOFoundationCompat": {"NIOFoundationEssentialsCompat"},
    "ArgumentParser": {"ArgumentParserToolInfo"}, "Glibc": {"C", "SwiftGlibc"}, "Darwin": {"C"},
}
# Their symbols are macros, which the index has under other names, or are in generated code.
UNSEEN = {"Observation", "Testing", "XCTest", "PackagePlugin", "Combine", "OpenCombine"}


class Target:
    """A target of the manifest, and its Swift files by path."""

    def __init__(self, name, kind, path, dependencies, files):
        self.name, self.kind, self.path, self.dependencies, self.files = name, kind, path, dependencies, files

    @property
    def module(self):
        return self.name.replace("-", "_")

    def imports(self):
        """By module: the first file that imports it."""
        found = {}
        for path, text in self.files.items():
            for module in IMPORT.findall(text):
                found.setdefault(module, path)
        return found


def package(root):
    """The targets as the manifest has them, those of the tools included."""
    described = json.loads(subprocess.run(
        ["swift", "package", "--package-path", str(root), "dump-package"], capture_output=True, text=True, check=True,
        env={**os.environ, "TRACKING_TOOLS": "1"}).stdout)
    found = []
    for target in described["targets"]:
        path = target.get("path") or f"Sources/{target['name']}"
        dependencies = [next(iter(one.values()))[0] for one in target["dependencies"]]
        files = {
            str(file.relative_to(root)): file.read_text()
            for file in sorted((root / path).rglob("*.swift")) if ".docc/" not in str(file)
        }
        for excluded in target.get("exclude", []):
            files = {name: text for name, text in files.items() if not name.startswith(f"{path}/{excluded}")}
        found.append(Target(target["name"], target["type"], path, dependencies, files))
    return found


def layers(text):
    """The lines of the map from bottom to top, each a list of targets."""
    if text.count(START) != 1 or text.count(END) != 1:
        sys.exit(f"layers: {MAP} must have one map, between {START} and {END}")
    rows = []
    for line in text.split(START)[1].split(END)[0].splitlines():
        line = line.strip()
        if line and not line.startswith("```"):
            rows.append(line.split("|")[0].split())
    return rows[::-1]


def check(targets, rows):
    """Everything that is wrong with the arrows and the imports, a line each."""
    wrong = []
    level = {}
    for height, row in enumerate(rows):
        for name in row:
            if name in level:
                wrong.append(f"{MAP}: {name} is in two layers")
            level[name] = height
    by_name = {target.name: target for target in targets}
    ours = {target.module: target for target in targets}
    in_sources = {target.name for target in targets if target.path.startswith("Sources/")}
    wrong += [f"{MAP}: {name} is not a target; remove it from the map" for name in sorted(set(level) - in_sources)]
    wrong += [f"{MAP}: {name} is in no layer; add it to the map" for name in sorted(in_sources - set(level))]

    for target in targets:
        for name in target.dependencies:
            if name in level and target.name in level and level[name] >= level[target.name]:
                wrong.append(
                    f"Package.swift: {target.name} depends on {name}, which is not a lower layer; reverse the dependency, "
                    f"or move shared code to a lower layer")
        imported = target.imports()
        for name in target.dependencies:
            program = name in by_name and by_name[name].kind in ("executable", "plugin")
            if target.files and not program and name.replace("-", "_") not in imported and target.kind != "plugin":
                wrong.append(f"Package.swift: {target.name} depends on {name} but never imports it; remove the dependency")
        declared = {name.replace("-", "_") for name in target.dependencies}
        for module, path in sorted(imported.items()):
            if module in ours and module not in declared and module != target.module:
                wrong.append(f"{path}: imports {module}, which {target.name} does not declare in Package.swift")
        if target.name in level and target.name not in COMMANDS:
            for path, text in target.files.items():
                quoted = False
                for number, line in enumerate(text.split("\n"), 1):
                    # Text in quotes may name what it likes.
                    found = None if quoted else OF_COMMANDS.search(line.split("//")[0])
                    quoted ^= line.count('"""') % 2 == 1
                    if found:
                        wrong.append(
                            f"{path}:{number}: {found.group(1) or found.group(2)} belongs to the command line; "
                            f"throw an error of this layer")
    return wrong


def unused_imports(targets, files, modules, reexports):
    """The imports that no symbol of their file needs.

    - files: By path, the module and the USRs of the symbols.
    - modules: By USR, the modules that it is from.
    - reexports: By module, those that come with it.
    """
    wrong = []
    # The index leaves out the errors of typed throws in types of closures.
    declared = {
        target.module: {name for text in target.files.values() for name in DECLARATION.findall(text)}
        for target in targets
    }
    for target in targets:
        for path, text in target.files.items():
            if path not in files or text.startswith("// Generated by"):
                continue
            needed = set().union(*(modules[usr] for usr in files[path])) if files[path] else set()
            thrown = set(THROWN.findall(text))
            needed |= {module for module, names in declared.items() if thrown & names}
            lines = text.split("\n")
            for number, line in enumerate(lines, 1):
                found = IMPORT.match(line)
                # An indented import is in an #if: other systems may need it.
                if not found or line.startswith(" ") or found.group(1) in UNSEEN or "@_exported" in line:
                    continue
                name = found.group(1)
                given = {name} | reexports.get(name, set())
                if not given & needed:
                    wrong.append(f"{path}:{number}: imports {name} but does not use it; remove the import")
    return wrong


def remove_imports(wrong):
    """Removes the lines of unused imports."""
    found = [re.match(r"(.*):(\d+): imports \S+ but does not use it", line) for line in wrong]
    # From the last line of a file to its first, so that numbers stay right.
    for path, number in sorted(((one.group(1), int(one.group(2))) for one in found if one), reverse=True):
        lines = (ROOT / path).read_text().split("\n")
        del lines[number - 1]
        (ROOT / path).write_text("\n".join(lines))


def exports(targets):
    """By module: those that come with an import of it."""
    found = dict(REEXPORTED)
    direct = {
        target.module: {
            match.group(1) for text in target.files.values()
            for match in EXPORT.finditer(text)
        } for target in targets
    }
    for name, modules in direct.items():
        whole, waiting = set(), list(modules)
        while waiting:
            module = waiting.pop()
            if module not in whole:
                whole.add(module)
                waiting += direct.get(module, set())
        if whole:
            found[name] = whole
    return found


def self_test():
    """Checks packages with each kind of planted error, and a package without errors."""
    def target(name, dependencies, text, path=None, kind="regular"):
        path = path or f"Sources/{name}"
        return Target(name, kind, path, dependencies, {f"{path}/File.swift": text})

    low, high = target("Low", [], "func low() {}"), target("High", ["Low"], "internal import Low\nfunc high() { low() }")
    rows = [["Low"], ["High"]]
    cases = [
        ([low, high], rows, 0, "nothing wrong"),
        ([target("Low", ["High"], "import High"), target("High", [], "")], rows, 1, "an upward dependency"),
        ([low, target("High", ["Low"], "func high() {}")], rows, 1, "a dependency that nothing imports"),
        ([low, target("High", [], "import Low")], rows, 1, "an import that is not declared"),
        ([low, high, target("New", [], "")], rows, 1, "a target that is not on the map"),
        ([low], rows, 1, "a target on the map that is gone"),
        ([low, high], [["Low"], ["Low"], ["High"]], 1, "a target in two layers"),
        ([target("Low", [], "func stop() { exit(1) }"), high], rows, 1, "an exit below the command line"),
        ([target("Low", [], 'func say() { print("a") }'), high], rows, 1, "printing below the command line"),
        ([target("Low", [], "throw CommandFailure()"), high], rows, 1, "a failure of the command line below it"),
    ]
    for targets, map_of_it, count, what in cases:
        found = check(targets, map_of_it)
        if len(found) != count:
            sys.exit(f"layers: the check does not detect {what}: it finds {found}")
    uses = {"Sources/High/File.swift": {"s:low"}}
    known = {"s:low": {"Low"}, "s:swift": {"Swift"}}
    if unused_imports([low, high], uses, known, {}):
        sys.exit("layers: the check reports an unused import where there is none")
    if len(unused_imports([low, high], {"Sources/High/File.swift": {"s:swift"}}, known, {})) != 1:
        sys.exit("layers: the check does not detect an unused import")
    if unused_imports([low, high], {"Sources/High/File.swift": {"s:lowest"}}, {"s:lowest": {"Lowest"}}, {"Low": {"Lowest"}}):
        sys.exit("layers: the check does not detect a re-exported module")
    passed_on = exports([target("High", ["Low"], "@_exported public import struct Low.Value\n@_exported import Lower")])
    if passed_on.get("High") != {"Low", "Lower"}:
        sys.exit("layers: the check does not detect re-exported modules and declarations")
    print(f"layers: each of {len(cases) + 3} planted errors was found")


def main():
    if sys.argv[1:] == ["--test"]:
        return self_test()
    targets = package(ROOT)
    wrong = check(targets, layers((ROOT / MAP).read_text()))
    built = index.symbols_by_file(ROOT / ".build/debug/index/store", ROOT)
    current = {
        path: symbols for path, (_, made, symbols) in built.items() if made >= (ROOT / path).stat().st_mtime
    }
    sources = [
        path for target in targets if target.path.startswith("Sources/") and target.kind != "plugin"
        for path in target.files
    ]
    missing = [path for path in sources if path not in current]
    if missing:
        wrong.append(f"{missing[0]} and {len(missing) - 1} more are not built: run  tools/quiet-build --build-tests")
    usrs = set().union(*current.values()) if current else set()
    wrong += unused_imports(targets, current, index.modules_of(usrs), exports(targets))
    for line in wrong:
        print(line, file=sys.stderr)
    if sys.argv[1:] == ["--fix"]:
        remove_imports(wrong)
    if wrong:
        sys.exit(1)
    imports = sum(len(IMPORT.findall(text)) for target in targets for text in target.files.values())
    print(f"layers: {len(targets)} targets, {imports} imports in {len(current)} built files: no upward dependency, no unused import")


main()
