"""Runs the steps of a composite action without GitHub, as its runner would."""

import os
import re
import subprocess

import yaml

EXPRESSION = re.compile(r"\$\{\{\s*([\w.-]+)\s*\}\}")


class Result:
    """What the steps of an action printed and wrote."""

    def __init__(self, status, output, summary, outputs):
        self.status, self.output, self.summary, self.outputs = status, output, summary, outputs


def run(path, inputs, folder, scratch, github=None, environment=None):
    """Runs the steps of the action at `path` in `folder`, up to the first that fails.

    `uses:` steps belong to others and are skipped; an input or an expression that the action does not declare is an error.
    """
    action = yaml.safe_load(path.read_text())
    assert action["runs"]["using"] == "composite"
    unknown = set(inputs) - set(action["inputs"])
    assert not unknown, f"the action has no inputs {unknown}"
    values = {name: inputs.get(name, entry.get("default", "")) for name, entry in action["inputs"].items()}
    context = {"github.action_path": str(path.parent), "github.action_repository": "", "github.action_ref": ""}
    context.update({f"inputs.{name}": str(value) for name, value in values.items()})
    context.update({f"github.{name}": value for name, value in (github or {}).items()})
    steps = {}

    def filled(text):
        return EXPRESSION.sub(lambda match: value(match.group(1)), text)

    def value(name):
        if match := re.fullmatch(r"steps\.([\w-]+)\.outputs\.([\w-]+)", name):
            assert match.group(1) in steps, f"no step {match.group(1)} ran before {name} was used"
            return steps[match.group(1)].get(match.group(2), "")
        assert name in context, f"the action uses {name}, which nothing declares"
        return context[name]

    summary, output, status = scratch / "summary.md", [], 0
    summary.write_text("")
    for number, step in enumerate(action["runs"]["steps"]):
        if "uses" in step:
            continue
        said = scratch / f"output-{number}"
        said.write_text("")
        assert step["shell"] == "bash"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", filled(step["run"])], cwd=folder,
            capture_output=True, text=True,
            env={**os.environ, **(environment or {}), "GITHUB_ACTIONS": "true", "GITHUB_STEP_SUMMARY": str(summary),
                 "GITHUB_OUTPUT": str(said), "RUNNER_TEMP": str(scratch),
                 **{name: filled(str(text)) for name, text in step.get("env", {}).items()}})
        output.append(done.stdout + done.stderr)
        steps[step.get("id", str(number))] = dict(line.split("=", 1) for line in said.read_text().splitlines())
        if done.returncode:
            status = done.returncode
            break
    outputs = {name: filled(entry["value"]) for name, entry in action["outputs"].items()} if "check" in steps else {}
    return Result(status, "".join(output), summary.read_text(), outputs)
