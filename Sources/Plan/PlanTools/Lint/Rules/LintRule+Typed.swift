internal import JSONSchema

extension LintRule {
    static let typed = LintRule(
        "typed", "Each property says what it takes",
        why:
            "A property without a type takes anything: a number today, an object tomorrow, and no report survives that.",
        good: .property(#""page": {"type": "boolean", "description": "Whether."}"#),
        bad: .property(#""page": {"description": "Whatever it is."}"#)
    ) { plan in
        plan.meanings.values.compactMap { node in
            switch node.role {
            case .property, .element:
                guard plan.meanings[node].types == .all else { return nil }
                return LintFault(node, "say what \(node.label) takes: type, const, enum or $ref")
            default: return nil
            }
        }
    }
}
