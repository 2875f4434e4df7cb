"""Checks that every statement of the version agrees, before a release and in CI.

    versions.py FOLDER             the sources, the documentation and the changelog agree
    versions.py FOLDER VERSION     FOLDER can be released as VERSION; prints the version without its "v"
"""

import re
import subprocess
import sys
from datetime import date
from pathlib import Path

NUMBER = r"(\d+\.\d+\.\d+)"
# Each file states the version once, in this form.
SOURCES = {
    "Sources/Trackctl/TrackctlCommands/Trackctl.swift": rf'versionNumber = "{NUMBER}"',
    "Sources/Collector/collector/CollectorCommand.swift": rf'version: "{NUMBER}"',
    "Sources/SDK/TrackingCore/Container/TrackingContext.swift": rf'sdk = "swift-tracking {NUMBER}"',
}
# The dependency that readers copy.
INSTALLATION = re.compile(rf'/swift-tracking(?:\.git)?", from: "{NUMBER}"')


def stated(root: Path) -> tuple[str, list[str]]:
    """The version of the first source, and where another one is stated."""
    problems, found = [], {}
    for name, form in SOURCES.items():
        path = root / name
        numbers = re.findall(form, path.read_text()) if path.is_file() else []
        if len(numbers) != 1:
            problems.append(f"{name}: expected one version, found {len(numbers)}; adapt SOURCES in tools/release/versions.py")
        else:
            found[name] = numbers[0]
    if not found:
        return "", problems
    first, version = next(iter(found.items()))
    problems += [
        f"{name}: version {number}, but {first} has {version}" for name, number in found.items() if number != version
    ]
    documents = [root / "README.md", *sorted(root.glob("Sources/**/*.md"))]
    for path in documents:
        if path.is_file():
            problems += [
                f"{path.relative_to(root)}: asks for version {number}, but {first} has {version}"
                for number in INSTALLATION.findall(path.read_text())
                if number != version
            ]
    return version, problems


def sections(root: Path) -> list[tuple[str, str]]:
    """The changelog's headings of the second level, each with its text."""
    parts = re.split(r"^## (.*)$", (root / "CHANGELOG.md").read_text(), flags=re.MULTILINE)
    return [(heading.strip(), text.strip()) for heading, text in zip(parts[1::2], parts[2::2])]


def order(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split("."))


def changelog(root: Path, version: str) -> tuple[str | None, list[str]]:
    """The last released version, and what is wrong with the changelog."""
    problems, all_sections = [], sections(root)
    if not all_sections or all_sections[0][0] != "Unreleased":
        problems.append("CHANGELOG.md: the first section must be '## Unreleased'")
    released = []
    for heading, _ in all_sections:
        if heading == "Unreleased":
            continue
        match = re.fullmatch(rf"{NUMBER} - (\d{{4}}-\d\d-\d\d)", heading)
        try:
            if not match:
                raise ValueError
            date.fromisoformat(match[2])
        except ValueError:
            problems.append(f"CHANGELOG.md: '## {heading}' must read '## 1.2.3 - 2026-01-31'")
            continue
        released.append(match[1])
    if released != sorted(set(released), key=order, reverse=True):
        problems.append("CHANGELOG.md: released versions must be in descending order, each once")
    if released and version and order(version) < order(released[0]):
        problems.append(f"CHANGELOG.md: {released[0]} is released, but the sources still have version {version}")
    return (released[0] if released else None), problems


def git(root: Path, *arguments: str) -> list[str]:
    run = subprocess.run(["git", "-C", str(root), *arguments], check=True, stdout=subprocess.PIPE)
    return run.stdout.decode().splitlines()


def release(root: Path, version: str, wanted: str) -> list[str]:
    """The problems that prevent the release of this folder as a version."""
    problems = []
    if wanted != version:
        problems.append(f"asked to release {wanted}, but the sources have version {version}")
    headings = sections(root)
    released = [heading for heading, _ in headings if heading != "Unreleased"]
    if not released or not released[0].startswith(f"{wanted} - "):
        top = f"'## {released[0]}'" if released else "no released section"
        problems.append(f"CHANGELOG.md: has {top} on top; move what is unreleased to '## {wanted} - {date.today()}'")
    elif headings[0] != ("Unreleased", ""):
        problems.append(f"CHANGELOG.md: has unreleased changes; move them to '## {released[0]}'")
    if changed := git(root, "status", "--porcelain"):
        listed = ", ".join(line[3:] for line in changed[:5]) + (", …" if len(changed) > 5 else "")
        problems.append(f"the working tree has changes that are not committed: {listed}; commit or remove them")
    here = [tag for tag in git(root, "tag", "--points-at", "HEAD", "--list", "v[0-9]*")]
    if here and f"v{wanted}" not in here:
        problems.append(f"this commit is tagged {', '.join(here)}, not v{wanted}")
    elif not here and git(root, "tag", "--list", f"v{wanted}"):
        problems.append(f"the tag v{wanted} is on another commit; check it out first")
    return problems


def main() -> None:
    root = Path(sys.argv[1])
    version, problems = stated(root)
    last, wrong = changelog(root, version)
    problems += wrong
    if len(sys.argv) > 2:
        wanted = sys.argv[2].removeprefix("v")
        if not re.fullmatch(NUMBER, wanted):
            sys.exit(f"release: '{sys.argv[2]}' is not a version; write 1.2.3 or v1.2.3")
        problems += release(root, version, wanted)
    if problems:
        sys.exit("\n".join(f"release: {problem}" for problem in problems))
    print(version if len(sys.argv) > 2 else f"version {version}; last release in the changelog: {last or 'none'}")


main()
