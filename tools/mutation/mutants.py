"""The mutants of the sample app: each removes, duplicates or changes a firing line."""

import re
from dataclasses import dataclass


@dataclass
class Mutant:
    path: str
    line: int
    what: str
    text: str
    """The whole line after the change."""


CALLS = re.compile(
    r"environment\.tracking\.send\(|environment\.show\(|(?<!func )sendPageView\(|(?<!func )submit\(|completion\(\)"
    r"|environment\.repository\.actionCreator\.clear\(")

# The changes of firing lines and of the conditions around them.
ALTERATIONS = [
    (r"send\(\.launch\)", "send(.background)"),
    (r"send\(\.background\)", "send(.launch)"),
    (r"pageView\(\.repositorySearch\)", 'pageView(.repositoryDetail(url: ""))'),
    (r"pageView\(\.repositoryDetail\(url: url\)\)", "pageView(.repositorySearch)"),
    (r"(?<=repositoryDetail\(url: )url\b", 'url + "x"'),
    (r"identifier: identifier", 'identifier: identifier + "x"'),
    (r"userInfo: userInfo\b", "userInfo: [:]"),
    (r"(?<=query: )(text|query|last\.query)\b(?=[,)])", r'\1 + "x"'),
    (r"page: 1\b", "page: 2"),
    (r"(?<=page: )(page|last\.page)\b(?=\))", r"\1 + 1"),
    (r"(?<=guard )reachedBottom\b", "true"),
    (r"!repositories\.isFetching", "true"),
    (r"!text\.isEmpty", "true"),
    (r"(?<=if )hasSearched\b", "true"),
    (r"(?<=guard )!isSlip\b", "true"),
    (r"repositories\.indices\.contains\(row\)", "row == 0"),
    (r"repositories\.error != nil", "true"),
    (r"duration\(since: last\) <", "duration(since: last) <="),
    (r"\.milliseconds\(300\)", ".milliseconds(299)"),
    (r"(?<=if )isAwaited\b", "true"),
    (r"awaitsURL = state\.url == nil", "awaitsURL = false"),
    (r"\$0\.awaitsURL = false", "$0.awaitsURL = true"),
    (r"defer \{ state\.awaitsURL = false \}", ""),
    (r"repositoryDetail\(repositories\[row\]\)", "repositoryDetail(repositories[0])"),
]


def mutants(path, text):
    """All mutants of a source."""
    for number, line in enumerate(text.split("\n"), 1):
        code = line.split("//")[0]
        for call in CALLS.finditer(code):
            end = closing(code, code.index("(", call.start())) + 1
            statement = code[call.start():end]
            yield Mutant(path, number, "removed", code[:call.start()] + "()" + code[end:])
            yield Mutant(path, number, "doubled", code[:end] + "; " + statement + code[end:])
        for pattern, replacement in ALTERATIONS:
            for match in re.finditer(pattern, code):
                changed = code[:match.start()] + match.expand(replacement) + code[match.end():]
                yield Mutant(path, number, "altered", changed)


def closing(code, opening):
    """The position of the closing parenthesis."""
    depth = 0
    for place in range(opening, len(code)):
        depth += {"(": 1, ")": -1}.get(code[place], 0)
        if depth == 0:
            return place
    raise ValueError(f"no closing parenthesis in {code!r}")
