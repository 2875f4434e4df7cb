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
    ) { plan in
        let parts = plan.meanings.parts
        let roots = plan.documents.compactMap(\.nodes.first)
        return parts.reached(from: roots, conditions: false).flatMap { node -> [LintFault] in
            let required = node["required"]?.elements ?? []
            guard !required.isEmpty else { return [] }
            // What is closed by itself takes only what it describes itself, whatever else holds.
            let isClosed = node["additionalProperties"]?.boolean == false
            guard isClosed || node.role != .inPlace, node.openReason == nil else { return [] }
            let all = isClosed ? [node] : parts.allPossible(of: [node])
            guard isClosed || all.allSatisfy({ describesEachByName($0, parts) }) else { return [] }
            let names = Set(all.flatMap { $0["properties"]?.members.map(\.name) ?? [] })
            let patterns = all.flatMap { $0["patternProperties"]?.members.map(\.name) ?? [] }
            return required.enumerated().compactMap { index, element in
                guard let name = element.string, !names.contains(name),
                    !patterns.contains(where: { plan.judge.matches(element.source, pattern: $0) })
                else { return nil }
                return LintFault(
                    node, at: ["required", "\(index)"], "describe \(name) in properties, or require it not")
            }
        }
    }

    /// Whether no schema of other members is there, and nothing that cannot be found.
    private static func describesEachByName(_ node: SchemaNode, _ parts: SchemaParts) -> Bool {
        let others = ["additionalProperties", "unevaluatedProperties"].compactMap { node[$0] }
        return others.allSatisfy { $0.boolean == false } && parts.targets(of: node).allSatisfy { $0 != nil }
            && node["$dynamicRef"] == nil
    }
}
