"""Converts the help of trackctl (`trackctl --experimental-dump-help`, on standard input) to pages.

usage: pages.py markdown | man
"""

import json
import re
import sys


def commands(command, path=()):
    """All commands with their full names, outermost first."""
    path = path + (command["commandName"],)
    yield " ".join(path), command
    for inner in command.get("subcommands", []):
        if inner["commandName"] != "help":
            yield from commands(inner, path)


def spelling(argument):
    """`-n, --last <count>`, or `<inputs> ...` for a positional argument."""
    if argument["kind"] == "positional":
        text = f"<{argument['valueName']}>"
        return text + " ..." if argument["isRepeating"] else text
    names = sorted(("--" if name["kind"] == "long" else "-") + name["name"] for name in argument["names"])
    names = ", ".join(sorted(names, key=len))
    return names if argument["kind"] == "flag" else f"{names} <{argument['valueName']}>"


def notes(argument):
    """The suffix of a description: the default, and the accepted values unless the description has them."""
    parts = []
    values = argument.get("allValues") or []
    described = set(re.findall(r"[\w-]+", argument.get("abstract") or ""))
    if not described.issuperset(values):
        parts.append("Values: " + ", ".join(values) + ".")
    if argument.get("defaultValue"):
        parts.append(f"Default: {argument['defaultValue']}.")
    return " ".join(parts)


def sections(command):
    """The arguments by their titles in the help, without those that all commands have."""
    found = {}
    for argument in command.get("arguments", []):
        if not argument["shouldDisplay"]:
            continue
        names = [name["name"] for name in argument.get("names") or []]
        if "help" in names or "version" in names:
            continue
        title = argument.get("sectionTitle") or ("Arguments" if argument["kind"] == "positional" else "Options")
        same = found.setdefault(title, [])
        if same and argument["kind"] == "flag" and names == ["no-" + (same[-1].get("names") or [{}])[0].get("name", "")]:
            # The inversion of the previous flag.
            same[-1] = same[-1] | {"names": same[-1]["names"] + argument["names"]}
        else:
            same.append(argument)
    return found


def split(discussion):
    """The examples, and the paragraphs that follow them."""
    head, _, rest = discussion.partition("\n\n")
    lines = head.splitlines()
    if not lines or lines[0].strip() != "Examples:":
        return [], [discussion] if discussion else []
    return [line.strip() for line in lines[1:]], [text for text in rest.split("\n\n") if text]


def markdown(root):
    out = [
        "# trackctl",
        "",
        root["abstract"],
        "",
        "Generated from the commands' help by `make manual`; do not edit.",
        "",
        "| command | what it does |",
        "|---|---|",
    ]
    everything = list(commands(root))
    for name, command in everything[1:]:
        anchor = re.sub(r"[^a-z0-9 -]", "", name.lower()).replace(" ", "-")
        out.append(f"| [`{name}`](#{anchor}) | {command['abstract']} |")
    for name, command in everything:
        examples, paragraphs = split(command.get("discussion", ""))
        out += ["", f"## {name}"]
        if command is not root:
            out += ["", command["abstract"]]
        if examples:
            out += ["", "```sh", *examples, "```"]
        for paragraph in paragraphs:
            out += ["", paragraph]
        for title, arguments in sections(command).items():
            out += ["", f"| {title.lower()} | |", "|---|---|"]
            for argument in arguments:
                text = " ".join((argument.get("abstract") or "").split())
                cells = [f"`{spelling(argument)}`", " ".join(part for part in (text, notes(argument)) if part)]
                out.append("| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |")
    return "\n".join(out) + "\n"


def roff(text):
    """Text escaped for roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\n".join("\\&" + line if line[:1] in (".", "'") else line for line in text.split("\n"))


def man(root):
    program = root["commandName"]
    out = [f'.TH {program.upper()} 1 "" "swift\\-tracking" "User Commands"', ".SH NAME"]
    out.append(roff(f"{program} - {root['abstract']}"))
    for name, command in commands(root):
        examples, paragraphs = split(command.get("discussion", ""))
        out.append(".SH DESCRIPTION" if command is root else f".SH {roff(name.upper())}")
        if command is not root:
            out.append(roff(command["abstract"]))
        if examples:
            out += [".PP", "Examples:", ".PP", ".nf", ".RS", *[roff(line) for line in examples], ".RE", ".fi"]
        for paragraph in paragraphs:
            out += [".PP", roff(paragraph)]
        for title, arguments in sections(command).items():
            out.append(f".SS {roff(title)}")
            for argument in arguments:
                text = " ".join((argument.get("abstract") or "").split())
                out += [".TP", ".B " + roff(spelling(argument)), roff(" ".join(p for p in (text, notes(argument)) if p))]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    makers = {"markdown": markdown, "man": man}
    if len(sys.argv) != 2 or sys.argv[1] not in makers:
        sys.exit(__doc__)
    sys.stdout.write(makers[sys.argv[1]](json.load(sys.stdin)["command"]))
