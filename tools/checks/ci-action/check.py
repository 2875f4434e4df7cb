#!/usr/bin/env python3
"""Compares the reports of the action and the hooks with the mistakes in the plan.

    check.py TRACKCTL
"""

import hashlib
import json
import os
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.parse

import sarif_pydantic

import action

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[2]
ACTION = ROOT / "tools/ci-action/action.yml"
TRACKCTL = sys.argv[1]
# A rule, the file, and what is written in the line that must be named.
MISTAKES = [
    ("described", "Schemas/events/sign-up/1-0-0.json", '"step": {'),
    ("version-too-small", "Schemas/events/purchase/1-0-1.json", '"method": {'),
    ("published-changed", "Schemas/events/catalogue-searched/1-0-0.json", '"maxLength": 100'),
    ("locked-changed", "Schemas/events/catalogue-searched/1-0-0.json", "{"),
    ("invalid-event", "logs/checkout.jsonl", '"items":0'),
]
IDENTITY = {f"GIT_{role}_{what}": value for role in ("AUTHOR", "COMMITTER")
            for what, value in (("NAME", "Check"), ("EMAIL", "check@example.com"))}
# A hook of git, which may run this, must not direct git to another repository.
for name in [name for name in os.environ if name.startswith("GIT_")]:
    del os.environ[name]
os.environ.update(IDENTITY)


def git(folder, *arguments):
    subprocess.run(["git", "-C", str(folder), *arguments], check=True, capture_output=True)


def line_of(file, text):
    lines = (HERE / "mistakes" / file).read_text().split("\n")
    return next(number for number, line in enumerate(lines, 1) if text in line)


def copy(source, target):
    """Without the files' times: git takes a file of the same size and time for unchanged."""
    shutil.copytree(source, target, dirs_exist_ok=True, copy_function=shutil.copyfile)


def repository(folder, changes):
    """A shallow clone of a branch with changes; the base branch is at its origin only."""
    origin = folder / "origin"
    copy(HERE / "base", origin)
    git(origin, "init", "-q", "-b", "main")
    git(origin, "add", "-A")
    git(origin, "commit", "-q", "-m", "Publish the plan")
    git(origin, "checkout", "-q", "-b", "change")
    copy(HERE / changes, origin)
    git(origin, "add", "-A")
    git(origin, "commit", "-q", "-m", "Change the plan")
    git(origin, "checkout", "-q", "main")
    subprocess.run(["git", "clone", "-q", "--depth=1", "--branch=change", f"file://{origin}", str(folder / "clone")],
                   check=True)
    return folder / "clone"


def run_action(changes, trackctl=TRACKCTL, **inputs):
    """The output of the action for a branch, and its SARIF log."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        clone = repository(folder, changes)
        (folder / "scratch").mkdir()
        result = action.run(
            ACTION, {"trackctl": trackctl, "logs": "logs/**/*.jsonl", **inputs}, clone, folder / "scratch",
            environment={"GITHUB_BASE_REF": "main"})
        sarif = clone / "trackctl.sarif"
        return result, json.loads(sarif.read_text()) if sarif.exists() else None


def annotations(output):
    """(rule, file, line) of each `::error`."""
    found = []
    for properties in re.findall(r"^::error ([^:]*)::.+$", output, re.M):
        given = dict(pair.split("=", 1) for pair in properties.split(","))
        given = {name: re.sub("%(25|0D|0A|3A|2C)", lambda m: chr(int(m.group(1), 16)), text) for name, text in given.items()}
        found.append((given["title"].split(": ")[-1], given.get("file"), int(given.get("line", 0))))
    return found


def sarif_faults(log):
    """Violations of SARIF 2.1.0 and of code scanning."""
    try:
        sarif_pydantic.Sarif.model_validate(log)
    except ValueError as error:
        return [f"SARIF: {error}"]
    if log["version"] != "2.1.0" or len(log["runs"]) != 1:
        return ["SARIF: not one run of version 2.1.0"]
    run, faults = log["runs"][0], []
    rules = run["tool"]["driver"]["rules"]
    if len({rule["id"] for rule in rules}) != len(rules):
        faults.append("SARIF: a rule is listed twice")
    for result in run["results"]:
        place = result["locations"][0]["physicalLocation"]
        uri, region = place["artifactLocation"]["uri"], place["region"]
        if rules[result["ruleIndex"]]["id"] != result["ruleId"]:
            faults.append(f"SARIF: {result['ruleId']} has the index of another rule")
        if uri.startswith("/") or urllib.parse.urlparse(uri).scheme:
            faults.append(f"SARIF: {uri} is not relative to the repository")
        if region["startLine"] < 1 or region["startColumn"] < 1 or not result["message"]["text"]:
            faults.append(f"SARIF: a result of {result['ruleId']} lacks its line or message")
    return faults


def unreported(result, log):
    """Mistakes that are not reported at their line, false findings, and errors in the log."""
    expected = sorted((rule, file, line_of(file, text)) for rule, file, text in MISTAKES)
    in_sarif = sorted(
        (r["ruleId"], urllib.parse.unquote(place["artifactLocation"]["uri"]), place["region"]["startLine"])
        for r in log["runs"][0]["results"] for place in [r["locations"][0]["physicalLocation"]])
    rows = re.findall(r"^\| ([^|]+):(\d+) \| ([^|]+) \| .+ \|$", result.summary, re.M)
    in_summary = sorted((rule, file, int(line)) for file, line, rule in rows)
    faults = sarif_faults(log)
    for where, found in ("annotations", sorted(annotations(result.output))), ("SARIF", in_sarif), ("summary", in_summary):
        faults += [f"{where}: {one} is not reported" for one in expected if one not in found]
        faults += [f"{where}: {one} is no mistake" for one in found if one not in expected]
    if result.status != 1:
        faults.append(f"the action ended with {result.status}, not 1")
    if result.outputs.get("findings") != str(len(expected)):
        faults.append(f"the output findings is {result.outputs.get('findings')}")
    return faults


def require(condition, message):
    if not condition:
        sys.exit(f"ci-action: {message}")


def check_action():
    result, log = run_action("mistakes")
    faults = unreported(result, log)
    require(not faults, "\n".join(faults + [result.output, result.summary]))
    result, log = run_action("correct")
    passed = re.findall(r"^\| (\w+) \| 0 \| passed \|$", result.summary, re.M)
    require(result.status == 0 and passed == ["lint", "diff", "lock", "logs"] and not log["runs"][0]["results"]
            and not sarif_faults(log) and "::error" not in result.output,
            f"a correct plan does not pass:\n{result.output}\n{result.summary}")
    result, _ = run_action("correct", base="no-such-branch")
    require(result.status == 2 and "::error title=diff%3A not done::" in result.output,
            f"an unknown base branch is not an error:\n{result.output}")
    result, _ = run_action("correct", logs="nothing/*.jsonl")
    require(result.status == 2 and "no file matches nothing/*.jsonl" in result.output,
            f"a pattern without files is not an error:\n{result.output}")


def shim(folder, body):
    path = pathlib.Path(folder) / "trackctl"
    path.write_text(body)
    path.chmod(0o755)
    return str(path)


def check_the_check():
    """With a trackctl that hides a mistake, the check must report it."""
    for rule, file, _ in MISTAKES:
        with tempfile.TemporaryDirectory() as folder:
            silent = shim(folder, f"""#!{sys.executable}
import json, subprocess, sys
done = subprocess.run([{TRACKCTL!r}, *sys.argv[1:]], capture_output=True, text=True)
log = json.loads(done.stdout)
for run in log["runs"]:
    run["results"] = [one for one in run["results"] if one["ruleId"] != {rule!r}]
print(json.dumps(log))
sys.exit(done.returncode)
""")
            faults = unreported(*run_action("mistakes", trackctl=silent))
            missed = [where for where in ("annotations", "SARIF", "summary")
                      if any(fault.startswith(f"{where}: ('{rule}', '{file}'") for fault in faults)]
            require(len(missed) == 3, f"the check did not notice that {rule} is not reported: {faults}")
    moved, log = run_action("mistakes")
    log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] += 1
    require(any("is not reported" in fault for fault in unreported(moved, log)), "the check did not notice another line")


def check_download():
    """The release is found, unpacked and compared with its checksum."""
    version = subprocess.run([TRACKCTL, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
    machine = {"arm64": "aarch64"}.get(platform.machine(), platform.machine())
    if platform.system() != "Linux":
        return print("ci-action: no release for this system, so the download is not checked")
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        name = f"trackctl-{version}-linux-{machine}"
        archive = folder / f"{name}.tar.gz"
        with tarfile.open(archive, "w:gz", compresslevel=1) as tar:
            tar.add(shim(folder, f'#!/bin/sh\nexec "{TRACKCTL}" "$@"\n'), f"{name}/bin/trackctl")
        sums = folder / "SHA256SUMS"
        sums.write_text(f"{hashlib.sha256(archive.read_bytes()).hexdigest()}  {archive.name}\n")
        given = {"trackctl": "", "version": version, "download-url": f"file://{folder}"}
        result, _ = run_action("correct", **given)
        require(result.status == 0, f"a release cannot be used:\n{result.output}")
        with archive.open("ab") as file:
            file.write(b"\0")
        result, _ = run_action("correct", **given)
        require(result.status != 0 and "has another checksum" in result.output, f"a damaged release is used:\n{result.output}")
        result, _ = run_action("correct", **{**given, "version": "0.0.99"})
        require(result.status != 0 and "cannot download" in result.output, f"a release that is missing:\n{result.output}")


def run_hooks(changes, trackctl=TRACKCTL):
    """The result of `pre-commit run` for staged changes: its exit code, and the status and output of each hook."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        hooks, work = folder / "hooks", folder / "work"
        hooks.mkdir()
        shutil.copy(ROOT / ".pre-commit-hooks.yaml", hooks)
        git(hooks, "init", "-q", "-b", "main")
        git(hooks, "add", "-A")
        git(hooks, "commit", "-q", "-m", "Add hooks")
        git(hooks, "tag", "v1")
        copy(HERE / "base", work)
        ids = re.findall(r"^- id: (.+)$", (hooks / ".pre-commit-hooks.yaml").read_text(), re.M)
        (work / ".pre-commit-config.yaml").write_text(
            f"repos:\n- repo: {hooks}\n  rev: v1\n  hooks:\n" + "".join(f"  - id: {one}\n" for one in ids))
        git(work, "init", "-q", "-b", "main")
        git(work, "add", "-A")
        git(work, "commit", "-q", "-m", "Publish the plan")
        copy(HERE / changes, work)
        git(work, "add", "-A")
        bin_folder = folder / "bin"
        bin_folder.mkdir()
        (bin_folder / "trackctl").symlink_to(trackctl)
        done = subprocess.run(
            [sys.executable, "-m", "pre_commit", "run", "--all-files", "--color=never", "--verbose"], cwd=work, capture_output=True, text=True,
            env={**os.environ, "PATH": f"{bin_folder}:{os.environ['PATH']}", "PRE_COMMIT_HOME": str(folder / "home")})
        said = {}
        for part in re.split(r"\n(?=[^\n]+\.{3,}(?:Passed|Failed|\(no files to check\)))", "\n" + done.stdout):
            if match := re.search(r"^- hook id: (.+)$", part, re.M):
                said[match.group(1)] = ("Passed" in part.split("\n")[0], part)
        return done.returncode, said, done.stdout + done.stderr


# What each hook must print of the mistakes.
HOOKS = {
    "trackctl-schema-lint": ("described",),
    "trackctl-schema-lock": ("locked-changed",),
    "trackctl-schema-diff": ("version-too-small", "published-changed"),
    "trackctl-validate": ("invalid-event",),
}


def unhooked(status, said):
    faults = [] if status else ["pre-commit ended with 0"]
    for hook, rules in HOOKS.items():
        passed, text = said.get(hook, (True, ""))
        faults += [f"{hook} passed"] if passed else []
        for rule, file, line in MISTAKES:
            # The lock is about whole files.
            place = file if rule == "locked-changed" else f"{file}:{line_of(file, line)}"
            if rule in rules and place not in text:
                faults.append(f"{hook} does not name {place}")
    return faults


def check_hooks():
    status, said, text = run_hooks("mistakes")
    faults = unhooked(status, said)
    require(not faults, "\n".join(faults + [text]))
    require(set(said) == set(HOOKS), f"not every hook is checked: {sorted(said)}")
    status, said, text = run_hooks("correct")
    require(status == 0 and all(passed for passed, _ in said.values()) and len(said) == len(HOOKS),
            f"a hook fails for a correct plan:\n{text}")
    with tempfile.TemporaryDirectory() as folder:
        status, said, _ = run_hooks("mistakes", shim(folder, "#!/bin/sh\nexit 0\n"))
        require(len([f for f in unhooked(status, said) if f.endswith("passed")]) == len(HOOKS),
                "the check did not notice hooks that pass everything")


check_action()
check_the_check()
check_download()
check_hooks()
print(f"ci-action: {len(MISTAKES)} findings, each at its line in annotations, SARIF, the summary and {len(HOOKS)} hooks; "
      f"a correct plan passes; the check notices each that is missing")
