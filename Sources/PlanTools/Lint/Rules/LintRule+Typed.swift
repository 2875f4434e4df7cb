internal import JSONSchema

extension LintRule {
    static let typed = LintRule(
        "typed", "Each property says what it takes",
        why:
            "A property without a type takes anything: a number today, an object tomorrow, and no report survives that.",
        good: .property(#""page": {"type": "boolean", "description": "Whether."}"#),
        bad: .property(#""page": {"description": "Whatever it is."}"#)
    ) { node, _ in
        let words = ["type", "const", "enum", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf"]
        switch node.role {
        case .property, .element:
            guard node.value.boolean != false, !words.contains(where: { node[$0] != nil }) else { return [] }
            return [LintFault(node, "say what \(node.label) takes: type, const, enum or $ref")]
        default: return []
        }
    }
}
