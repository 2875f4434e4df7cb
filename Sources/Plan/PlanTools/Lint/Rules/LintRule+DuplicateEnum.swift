internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let duplicateEnum = LintRule(
        "duplicate-enum", "No value is listed twice",
        why: "The second one is a slip of copying, and often stands where another value was meant.",
        good: .property(#""plan": {"enum": ["free", "paid"], "description": "Which plan."}"#),
        bad: .property(#""plan": {"enum": ["free", "paid", "free"], "description": "Which plan."}"#)
    ) { node, _ in
        var seen: Set<ValueKey> = []
        return (node["enum"]?.elements ?? []).enumerated().compactMap { index, value in
            guard !seen.insert(ValueKey(value)).inserted else { return nil }
            return LintFault(node, value, at: ["enum", "\(index)"], "remove the value: it is listed before")
        }
    }
}
