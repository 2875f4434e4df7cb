#!/usr/bin/env python3
"""Checks which code for Apple platforms is compiled on Linux, and prints the code that is not.

- Every condition that only Apple platforms meet is listed in unchecked.txt, with its file and the number of conditions.
- The adapters use only `canImport` and the conditions of Package.swift, and no construct that hides misspelled names.
- No stub module has a name that other packages import conditionally.
"""

import re
import sys
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
UNCHECKED = Path(__file__).with_name("unchecked.txt")
ADAPTERS = ROOT / "Sources/SDK/Tracking/Apple"
STUBS = ROOT / "tools/apple-stubs"

CONDITION = re.compile(r"^ *#(?:if|elseif) (.*)", re.M)
APPLE_ONLY = re.compile(r"canImport\((?:CryptoKit|Darwin|ObjectiveC)\)|\bos\((?:macOS|iOS|tvOS|watchOS|visionOS)\)")
FORBIDDEN = {
    re.compile(r"\bos\(\w"): "use canImport, or a condition of Package.swift",
    re.compile(r"#selector\b"): "a misspelt selector compiles",
    re.compile(r"\bresponds\(to:"): "a misspelt selector compiles",
    re.compile(r"@Entry\b"): "write an EnvironmentKey",
}


def apple_only(text):
    """The conditions that this build cannot meet."""
    return [
        condition for condition in CONDITION.findall(text)
        if APPLE_ONLY.search(condition) and "APPLE_STUBS" not in condition and "os(Linux)" not in condition
    ]


def listed():
    """The files of unchecked.txt, with their counts."""
    found = {}
    for line in UNCHECKED.read_text().splitlines():
        if line and not line.startswith("#"):
            count, rest = line.split(" ", 1)
            found[rest.split(": ")[0]] = int(count)
    return found


def check():
    wrong = []
    expected = listed()
    actual = Counter()
    for file in sorted((ROOT / "Sources").rglob("*.swift")):
        count = len(apple_only(file.read_text()))
        if count:
            actual[str(file.relative_to(ROOT))] = count
    for path in sorted(set(expected) | set(actual)):
        if expected.get(path, 0) != actual[path]:
            wrong.append(
                f"{path}: {actual[path]} conditions only on Apple systems, {expected.get(path, 0)} in "
                f"{UNCHECKED.relative_to(ROOT)}: use a stub module if you can, or correct the list")
    for file in sorted(ADAPTERS.rglob("*.swift")):
        for number, line in enumerate(file.read_text().split("\n"), 1):
            for pattern, reason in FORBIDDEN.items():
                if pattern.search(line.split("//")[0]):
                    wrong.append(f"{file.relative_to(ROOT)}:{number}: {pattern.search(line).group()}: {reason}")
    for name in ("Combine", "Darwin"):
        if (STUBS / name).exists():
            wrong.append(f"tools/apple-stubs/{name}: other packages compile other code if they can import {name}")
    return wrong


def test():
    """Shows that the conditions are found."""
    text = "#if canImport(Darwin)\n    #elseif os(iOS)\n#if canImport(Darwin) || APPLE_STUBS\n#if os(macOS) || os(Linux)\n"
    assert apple_only(text) == ["canImport(Darwin)", "os(iOS)"]
    assert [any(p.search(s) for p in FORBIDDEN) for s in (
        "#if !os(watchOS)", "#selector(f)", "x.responds(to: s)", "@Entry var x", "os(", "import os", "respondsTo()",
    )] == [True, True, True, True, False, False, False]


if __name__ == "__main__":
    test()
    wrong = check()
    for line in wrong:
        print(f"apple: {line}", file=sys.stderr)
    if wrong:
        sys.exit(1)
    print("apple: not compiled here, because only Apple systems have it:")
    print("".join(f"  {line}\n" for line in UNCHECKED.read_text().splitlines() if not line.startswith("#")), end="")
