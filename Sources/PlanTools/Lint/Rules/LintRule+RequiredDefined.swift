internal import JSONSchema

extension LintRule {
    static let requiredDefined = LintRule(
        "required-defined", "What is required is described",
        why:
            "A closed object that requires what it does not describe can be satisfied by nothing. Most often one of the "
            + "two names has a slip.",
        good: .property(#""is_new": {"type": "boolean", "description": "Whether."}"#, required: ["is_new"]),
        bad: .value(
            """
            "type": "object", "additionalProperties": false, "required": ["is_new"],
            "properties": {"isnew": {"type": "boolean", "description": "Whether."}}
            """)
    ) { node, _ in
        guard node.role != .inPlace, node.openReason == nil else { return [] }
        let names = Set(node["properties"]?.members.map(\.name) ?? [])
        let isElsewhere = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if"].contains { node[$0] != nil }
        guard !isElsewhere else { return [] }
        return (node["required"]?.elements ?? []).enumerated().compactMap { index, element in
            guard let name = element.string, !names.contains(name) else { return nil }
            return LintFault(node, at: ["required", "\(index)"], "describe \(name) in properties, or require it not")
        }
    }
}
