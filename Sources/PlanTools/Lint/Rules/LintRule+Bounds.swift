internal import JSONSchema

extension LintRule {
    static let integerBounds = LintRule(
        "integer-bounds", "Integers have a minimum and a maximum, within ±(2^53 − 1)",
        why: "Past that, readers that keep numbers as doubles, JavaScript and jq among them, change the digits.",
        good: .property(#""page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "From 1."}"#),
        bad: .property(#""page": {"type": "integer", "minimum": 1, "description": "From 1."}"#)
    ) { node, plan in
        guard node.types.contains("integer"), !node.isListed else { return [] }
        let safe = #"{"type": "number", "minimum": -9007199254740991, "maximum": 9007199254740991}"#
        let sides = [("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum")]
        return sides.compactMap { keyword, exclusive in
            guard let limit = node[keyword] ?? node[exclusive] else {
                return LintFault(node, "write a \(keyword) for \(node.label), within ±9007199254740991")
            }
            guard plan.judge.satisfies(limit.source, safe) == false else { return nil }
            let written = node[keyword] == nil ? exclusive : keyword
            return LintFault(node, at: [written], "bring \(written) within ±9007199254740991")
        }
    }

    static let stringBounds = LintRule(
        "string-bounds", "Strings have a maxLength",
        why: "A line has at most 32 KiB: one unbounded string can push the event out. An enum, a const and the formats "
            + "\(Formats.bounded.sorted().joined(separator: ", ")) are bounds of their own.",
        good: .property(#""city": {"type": "string", "maxLength": 80, "description": "Where.", "x-pii": false}"#),
        bad: .property(#""city": {"type": "string", "description": "Where.", "x-pii": false}"#)
    ) { node, _ in
        guard node.isFreeString, node["maxLength"] == nil, node.boundedFormat == nil else { return [] }
        return [LintFault(node, "write a maxLength for \(node.label)")]
    }

    static let arrayBounds = LintRule(
        "array-bounds", "Arrays have a maxItems",
        why: "A line has at most 32 KiB: one unbounded array can push the event out.",
        good: .property(
            #""pages": {"type": "array", "maxItems": 9, "items": {"type": "boolean"}, "description": "Which."}"#),
        bad: .property(#""pages": {"type": "array", "items": {"type": "boolean"}, "description": "Which."}"#)
    ) { node, _ in
        guard node.types.contains("array"), !node.isListed, node["maxItems"] == nil else { return [] }
        let isTuple = node["prefixItems"] != nil && node["items"]?.boolean == false
        return isTuple ? [] : [LintFault(node, "write a maxItems for \(node.label)")]
    }
}
