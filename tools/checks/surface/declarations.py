"""The public declarations of modules, one a line, and what a difference between two lists means for a client's source."""

import json
import pathlib
import re
import subprocess
import tempfile

# What the compiler adds to every type says nothing.
IMPLIED = {"Swift.SendableMetatype", "Swift.Copyable", "Swift.Escapable", "Swift.BitwiseCopyable"}
NOMINAL = r"(?:(?:final|open|indirect) )*(?:struct|class|enum|protocol|actor)"


class Surface:
    """The public declarations of a module."""

    def __init__(self, lines, undocumented):
        self.lines = sorted(set(lines))
        # `file:line: declaration` of those without a doc comment.
        self.undocumented = sorted(undocumented)


def read(module, search_paths, root):
    """Extracts the symbol graph of a built module.

    What a protocol documents is documented for the types that implement it, and members that the compiler synthesizes are left
    out, as DocC does.
    """
    with tempfile.TemporaryDirectory() as folder:
        triple = json.loads(subprocess.run(
            ["swiftc", "-print-target-info"], capture_output=True, text=True, check=True).stdout)["target"]["triple"]
        done = subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-target", triple, "-minimum-access-level", "public",
             "-skip-synthesized-members", "-output-dir", folder, *(f"-I{path}" for path in search_paths)],
            capture_output=True, text=True)
        graphs = [json.loads(path.read_text()) for path in sorted(pathlib.Path(folder).glob("*.symbols.json"))]
        if done.returncode or not graphs:
            raise SystemExit(f"surface: no symbol graph of {module}:\n{done.stderr}")
    symbols = [symbol for graph in graphs for symbol in graph["symbols"] if "::SYNTHESIZED::" not in symbol["identifier"]["precise"]]
    relations = [relation for graph in graphs for relation in graph["relationships"]]
    required = {one["source"] for one in relations if one["kind"] in ("requirementOf", "optionalRequirementOf")}
    defaults = {one["target"] for one in relations if one["kind"] == "defaultImplementationOf"}
    names = {symbol["identifier"]["precise"]: ".".join(symbol["pathComponents"]) for symbol in symbols}
    lines, undocumented = [], []
    for symbol in symbols:
        line = text(symbol, required, defaults)
        lines.append(line)
        if "docComment" not in symbol and "location" in symbol:
            place = pathlib.Path(symbol["location"]["uri"].removeprefix("file://"))
            place = place.relative_to(root) if place.is_relative_to(root) else place
            undocumented.append(f"{place}:{symbol['location']['position']['line'] + 1}: {line}")
    for one in relations:
        target = one.get("targetFallback") or names.get(one["target"])
        if one["kind"] in ("conformsTo", "inheritsFrom") and one["source"] in names and target and target not in IMPLIED:
            lines.append(f"{names[one['source']]} {'conforms to' if one['kind'] == 'conformsTo' else 'inherits from'} {target}")
    return Surface(lines, undocumented)


def text(symbol, required, defaults):
    """`Parent: declaration`; a protocol's requirement is marked with `requires`, or with `may implement` if it has a default."""
    declaration = re.sub(r"\s+", " ", "".join(part["spelling"] for part in symbol["declarationFragments"])).strip()
    if symbol["kind"]["identifier"] == "swift.protocol":
        # Each inherited protocol has a line of its own.
        declaration = declaration.split(" : ")[0]
    if symbol["accessLevel"] == "open":
        declaration = f"open {declaration}"
    conditions = symbol.get("swiftExtension", {}).get("constraints", [])
    signs = {"conformance": ":", "superclass": ":", "sameType": "=="}
    written = [f"{one['lhs']} {signs[one['kind']]} {one['rhs']}" for one in conditions]
    written = [one for one in written if one not in declaration]
    if written:
        declaration += (", " if " where " in declaration else " where ") + ", ".join(written)
    precise = symbol["identifier"]["precise"]
    if precise in required:
        declaration = ("may implement " if precise in defaults else "requires ") + declaration
    parent = ".".join(symbol["pathComponents"][:-1])
    return f"{parent}: {declaration}" if parent else declaration


def differences(old, new):
    """(breaks, text) for each difference between two lists of declarations.

    A removed or changed declaration breaks clients; an added one breaks them if it is a case of an enum, or a requirement without a
    default or an inherited protocol of a protocol, that was there before. A type that became a type alias of its new name is renamed:
    its members are compared with the new type's.
    """
    renamed = {}
    for line in set(new) - set(old):
        if match := re.fullmatch(r"typealias (\w+) = (\w+)", line):
            if any(re.match(rf"{NOMINAL} {match.group(1)}\b", other) for other in old):
                renamed[match.group(1)] = match.group(2)
    if renamed:
        pattern = re.compile(r"\b(" + "|".join(map(re.escape, renamed)) + r")\b")
        old = [pattern.sub(lambda match: renamed[match.group(1)], line) for line in old]
    removed, added = sorted(set(old) - set(new)), sorted(set(new) - set(old))
    there = {match.group(1, 2) for line in old if (match := re.match(r"(?:(.+): )?" + NOMINAL + r" ([\w.]+)", line))}
    kinds = {name if not parent else f"{parent}.{name}" for parent, name in there}
    found = []
    for line in removed:
        after = next((other for other in added if subject(other) == subject(line)), None)
        if after is None:
            found.append((True, f"removed: {line}"))
        else:
            added.remove(after)
            found.append((not is_compatible(line, after), f"changed: {line}\n      to: {after}"))
    for line in added:
        owner = re.match(r"([\w.]+)(?:: (?:requires|(?:indirect )?case) | (?:conforms to|inherits from) )", line)
        breaks = bool(owner) and owner.group(1) in kinds
        if breaks and "conforms to" in line.split(": ")[0]:
            breaks = any(re.search(rf"\bprotocol {re.escape(owner.group(1).split('.')[-1])}\b", other) for other in old)
        if breaks and "inherits from" in line.split(": ")[0]:
            breaks = False
        found.append((breaks, f"added: {line}"))
    return found


def subject(line):
    """What a declaration is of: its parent, its keyword and its name, with the labels that a caller must write."""
    parent, declaration = "", line
    if match := re.match(r"([\w.]+): (.+)", line):
        parent, declaration = match.groups()
    declaration = re.sub(r"^(?:requires|may implement) ", "", declaration)
    match = re.search(r"\b(func|init|subscript|var|let|case|struct|class|enum|protocol|typealias|associatedtype)\b ?([^\s(<:]*)", declaration)
    if not match:
        return line
    keyword = "var" if match.group(1) == "let" else match.group(1)
    labels = [parameter.split(":")[0].split(" ")[0] for parameter in parameters(declaration) if " = " not in parameter]
    return parent, keyword, match.group(2), tuple(labels), "static" in declaration.split(match.group(1))[0]


def parameters(declaration):
    """The parameters of a function, as they are written."""
    start = declaration.find("(")
    if start < 0 or not re.search(r"\b(?:func|init|subscript|case)\b", declaration[:start]):
        return []
    depth, part, parts = 0, "", []
    for character in declaration[start + 1:]:
        if character == ")" and depth == 0:
            break
        depth += (character in "([<{") - (character in ")]}")
        if character == ">" and not part.endswith("-"):
            depth -= 1
        if character == "," and depth == 0:
            parts.append(part.strip())
            part = ""
        else:
            part += character
    return [one for one in [*parts, part.strip()] if one]


def is_compatible(old, new):
    """Whether a changed declaration still takes every use of the former: a requirement that got a default, a property that can be
    set now, a parameter that has a default value."""
    if ": requires " in new:
        return False
    old, new = (line.replace(": requires ", ": ").replace(": may implement ", ": ") for line in (old, new))
    if old == new:
        return True
    readable = old.replace("{ get }", "").replace(" let ", " var ").strip()
    if (" let " in old or "{ get }" in old) and readable == new.replace("{ get set }", "").replace("{ get }", "").strip():
        return True
    before, after = parameters(old), parameters(new)
    rest = list(before)
    for parameter in after:
        if rest and (parameter == rest[0] or parameter.startswith(rest[0] + " = ")):
            rest.pop(0)
        elif " = " not in parameter:
            return False
    if rest:
        return False
    return skeleton(old, before) == skeleton(new, after)


def skeleton(declaration, given):
    """A declaration without its parameters."""
    for parameter in given:
        declaration = declaration.replace(parameter, "", 1)
    return re.sub(r"\((?:, )*\)", "()", declaration)
