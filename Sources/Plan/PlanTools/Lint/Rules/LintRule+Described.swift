internal import JSONSchema

extension LintRule {
    static let described = LintRule(
        "described", "The schema has a title and a description, and each property a description",
        why: "The description is what an analyst reads before a question to the app's team, and what becomes the doc "
            + "comment of the Swift code.",
        good: .property(#""page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "From 1."}"#),
        bad: .property(#""page": {"type": "integer", "minimum": 1, "maximum": 100}"#)
    ) { plan in
        func lacks(_ node: SchemaNode, _ keyword: String) -> Bool {
            node[keyword]?.string?.contains(where: { !$0.isWhitespace }) != true
        }
        let parts = plan.meanings.parts
        return plan.meanings.values.flatMap { node -> [LintFault] in
            switch node.role {
            case .root:
                return ["title", "description"].filter { lacks(node, $0) }.map {
                    LintFault(node, at: [$0], "write a \($0)")
                }
            case .property where node.value.kind == .object:
                let all = parts.allCertain(of: node) + parts.refined(by: node)
                // What is not there may be described: references have a rule of their own.
                let isKnown = all.allSatisfy { parts.targets(of: $0).allSatisfy { $0 != nil } }
                guard isKnown, all.allSatisfy({ lacks($0, "description") }) else { return [] }
                return [LintFault(node, at: ["description"], "write a description of \(node.label)")]
            default: return []
            }
        }
    }
}
