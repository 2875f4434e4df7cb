"""Shows what the comparison of surfaces says of each kind of change, with modules that are compiled for it."""

import pathlib
import subprocess
import tempfile

import declarations

BEFORE = """
/// A shape.
public struct Shape {
    /// Makes one.
    public init() {}
    /// Its name.
    public func name(of language: String) -> String { language }
    /// Its size.
    public let size = 1
}
/// A colour.
public enum Colour { case red, blue }
/// What draws.
public protocol Drawing {
    /// Draws.
    func draw()
}
"""
DEFAULT = "extension Drawing { public func erase() {} }"
# What is changed, the source after it, and the verdicts that must be given: a number of breaks, a number of others.
CASES = [
    ("nothing", BEFORE, 0, 0),
    ("a removed function", BEFORE.replace("public func name", "func name"), 1, 0),
    ("an added function", BEFORE + "/// Adds.\npublic func added() {}", 0, 1),
    ("a function renamed, with a deprecated alias",
     BEFORE.replace("/// Its size.", '/// Its title.\n public func title(of language: String) -> String { language }\n/// Its size.')
     .replace("    /// Its name.", '    /// Its name.\n    @available(*, deprecated, renamed: "title(of:)")'), 0, 1),
    ("a type renamed, with a deprecated alias",
     BEFORE.replace("struct Shape", "struct Form")
     + '/// A form.\n@available(*, deprecated, renamed: "Form") public typealias Shape = Form', 0, 1),
    ("a type renamed without an alias", BEFORE.replace("struct Shape", "struct Form"), None, None),
    ("a changed result", BEFORE.replace("-> String { language }", "-> Int { 1 }"), 1, 0),
    ("a changed label", BEFORE.replace("of language", "in language"), 1, 1),
    ("an added parameter", BEFORE.replace("of language: String", "of language: String, upper: Bool"), 1, 1),
    ("an added parameter with a default", BEFORE.replace("of language: String", "of language: String, upper: Bool = false"), 0, 1),
    ("a property that can be set now", BEFORE.replace("public let size", "public var size"), 0, 1),
    ("a property that can't be read any more", BEFORE.replace("public let size", "let size"), 1, 0),
    ("a new case", BEFORE.replace("red, blue", "red, blue, green"), 1, 0),
    ("a new requirement", BEFORE.replace("func draw()", "func draw()\n /// Erases.\n func erase()"), 1, 0),
    ("a new requirement with a default",
     BEFORE.replace("func draw()", "func draw()\n /// Erases.\n func erase()") + DEFAULT, 0, None),
    ("a new conformance", BEFORE.replace("struct Shape", "struct Shape: Hashable"), 0, None),
    ("a protocol that inherits another", BEFORE.replace("protocol Drawing", "protocol Drawing: Sendable"), 1, 0),
    ("a new enum with a case", BEFORE + "/// A side.\npublic enum Side {\n/// Left.\ncase left }", 0, None),
]


def surface(source, folder):
    path = folder / "Sample.swift"
    path.write_text(source)
    subprocess.run(["swiftc", "-emit-module", "-module-name", "Sample", "-o", str(folder / "Sample.swiftmodule"), str(path)],
                   check=True, capture_output=True, text=True)
    return declarations.read("Sample", [folder], folder)


def run():
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder).resolve()
        before = surface(BEFORE, folder)
        for name, source, breaks, others in CASES:
            found = declarations.differences(before.lines, surface(source, folder).lines)
            count = sum(one for one, _ in found)
            fits = count > 0 if breaks is None else count == breaks
            if not fits or (others is not None and len(found) - count != others):
                raise SystemExit(f"surface: self-test: {name}: {count} breaks of {len(found)} differences:\n"
                                 + "\n".join(f"  {one}: {line}" for one, line in found))
        bare = surface(BEFORE.replace("/// Its size.", "").replace("/// A colour.", ""), folder).undocumented
        # `red` and `blue` have no comments in the sample either.
        if sum("size" in line or "enum Colour" in line for line in bare) != 2 or len(bare) != len(before.undocumented) + 2:
            raise SystemExit(f"surface: self-test: missing doc comments: {bare}")
    return len(CASES)
