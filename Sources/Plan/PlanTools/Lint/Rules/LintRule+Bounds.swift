internal import JSONSchema

extension LintRule {
    static let integerBounds = LintRule(
        "integer-bounds", "Integers have a minimum and a maximum, within ±(2^53 − 1)",
        why: "Past that, readers that keep numbers as doubles, JavaScript and jq among them, change the digits.",
        good: .property(#""page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "From 1."}"#),
        bad: .property(#""page": {"type": "integer", "minimum": 1, "description": "From 1."}"#)
    ) { plan in
        let sides: [(fact: SchemaMeaning.Facts, keyword: String, exclusive: String)] = [
            (.lower, "minimum", "exclusiveMinimum"), (.upper, "maximum", "exclusiveMaximum"),
        ]
        return sides.flatMap { fact, keyword, exclusive in
            plan.faults(lacking: fact, .integer, where: \.takesIntegers) { node in
                let written = [keyword, exclusive].first { node[$0] != nil }
                return written.map { LintFault(node, at: [$0], "bring \($0) within ±9007199254740991") }
                    ?? LintFault(node, "write a \(keyword) for \(node.label), within ±9007199254740991")
            }
        }
    }

    static let stringBounds = LintRule(
        "string-bounds", "Strings have a maxLength",
        why: "A line has at most 32 KiB: one unbounded string can push the event out. An enum, a const and the formats "
            + "\(Formats.bounded.sorted().joined(separator: ", ")) are bounds of their own.",
        good: .property(#""city": {"type": "string", "maxLength": 80, "description": "Where.", "x-pii": false}"#),
        bad: .property(#""city": {"type": "string", "description": "Where.", "x-pii": false}"#)
    ) { plan in
        plan.faults(lacking: .boundedText, .string, where: { $0.takes(.string) }) {
            LintFault($0, "write a maxLength for \($0.label)")
        }
    }

    static let arrayBounds = LintRule(
        "array-bounds", "Arrays have a maxItems",
        why: "A line has at most 32 KiB: one unbounded array can push the event out.",
        good: .property(
            #""pages": {"type": "array", "maxItems": 9, "items": {"type": "boolean"}, "description": "Which."}"#),
        bad: .property(#""pages": {"type": "array", "items": {"type": "boolean"}, "description": "Which."}"#)
    ) { plan in
        plan.faults(lacking: .boundedArray, .array, where: { $0.takes(.array) }) {
            LintFault($0, "write a maxItems for \($0.label)")
        }
    }
}
