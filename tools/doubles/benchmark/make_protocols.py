#!/usr/bin/env python3
"""Writes Swift source files like those of an app, the same each time: some have a protocol with a mark, most do not.

make_protocols.py FOLDER [PROTOCOLS]    365 protocols in as many files, and twice as many files without a mark
"""

import random
import sys
from pathlib import Path

NOUNS = ["Account", "Basket", "Catalogue", "Delivery", "Feed", "Gallery", "Invoice", "Journey", "Location", "Message",
         "Notice", "Order", "Payment", "Question", "Review", "Session", "Ticket", "User", "Voucher", "Wallet"]
ROLES = ["Repository", "Service", "Store", "Router", "Session", "Presenter", "Listener", "Builder", "Provider", "Worker"]
VERBS = ["load", "save", "remove", "find", "update", "refresh", "show", "open", "close", "send", "cancel", "start"]
TYPES = ["String", "Int", "Bool", "URL", "Date", "[String]", "[String: Int]", "Double?", "Data", "UUID"]
EFFECTS = ["", "", " throws", " async", " async throws", " async throws"]


def method(random, noun, number):
    verb = random.choice(VERBS)
    parameters = [f"{random.choice(['_', 'for', 'with', 'in'])} value{index}: {random.choice(TYPES)}"
                  for index in range(random.randrange(4))]
    kind = random.random()
    if kind < 0.12:
        parameters.append(f"completion: @escaping @Sendable (Result<{random.choice(TYPES)}, any Error>) -> Void")
    generic = ""
    if 0.12 < kind < 0.18:
        generic, parameters = "<Value: Decodable & Sendable>", parameters + ["as type: Value.Type"]
    result = random.choice(["", " -> " + random.choice(TYPES), " -> " + noun])
    return (f"    /// Number {number} of what a {noun.lower()} can do.\n"
            f"    func {verb}{noun}{number}{generic}({', '.join(parameters)}){random.choice(EFFECTS)}{result}")


def protocol(random, name, noun):
    lines = [f"/// What the app needs of {name}.", "// tracking:double", f"public protocol {name}: AnyObject, Sendable {{"]
    for number in range(random.randrange(1, 4)):
        lines.append(f"    var property{number}: {random.choice(TYPES)} {{ get{random.choice(['', ' set'])} }}")
    lines += [method(random, noun, number) for number in range(random.randrange(3, 12))]
    return lines + ["}", ""]


def implementation(random, name, noun):
    """A class with as much code as a typical source file."""
    lines = [f"public final class Live{name}: Sendable {{", f"    private let items: [{noun}]", ""]
    for number in range(random.randrange(4, 12)):
        lines += [
            f"    /// Computes number {number}.",
            f"    public func compute{number}(_ input: [Int], scale: Double = 1) -> Double {{",
            "        var sum = 0.0",
            "        for (index, value) in input.enumerated() where value > index {",
            "            guard let last = input.last, last != value else { continue }",
            f"            sum += Double(value * {random.randrange(100)}) / scale",
            "        }",
            '        return sum > 100 ? sum : items.isEmpty ? 0 : Double("\\(sum)1") ?? 0',
            "    }",
            "",
        ]
    return lines + ["}", ""]


def main():
    folder = Path(sys.argv[1])
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 365
    chance = random.Random(365)
    for number in range(count * 3):
        noun = NOUNS[number % len(NOUNS)]
        name = f"{noun}{ROLES[number // len(NOUNS) % len(ROLES)]}{number}"
        lines = ["import Foundation", ""]
        if number % 3 == 0:
            lines += protocol(chance, name, noun)
        lines += implementation(chance, name, noun)
        place = folder / f"Module{number % 12}" / f"{name}.swift"
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("\n".join(lines))


main()
