internal import JSONSchema

extension LintRule {
    static let closedObjects = LintRule(
        "closed-objects", "Objects take no member that is not described",
        why:
            "Whatever is not described slips past every other rule, personal data first. A place that must be open says "
            + "why: \"x-open\": \"the reason\".",
        good: .value(#""type": "object", "x-open": "what the server sends, as it is", "x-pii": true"#),
        bad: .value(#""type": "object", "properties": {"page": {"type": "boolean", "description": "Whether."}}"#)
    ) { plan in
        let reasons = plan.documents.flatMap(\.nodes).compactMap { misplacedReason($0, plan) }
        // A schema that is closed where it is used cannot be closed itself: it would refuse what is added there.
        var seen: Set<SchemaReferences.Place> = []
        let faults = plan.meanings.values.flatMap { value in
            let meaning = plan.meanings[value]
            guard meaning.takesObjects, !meaning.facts.contains(.closed), value["x-open"] == nil else {
                return [LintFault]()
            }
            let culprits = plan.meanings.culprits(of: value, lacking: .closed, .object)
            return culprits.map { plan.meanings.extended.contains($0.place) ? value : $0 }.filter {
                seen.insert($0.place).inserted
            }.map { node in
                let hasParts = ["$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if", "dependentSchemas"].contains {
                    node[$0] != nil
                }
                let keyword = hasParts ? "unevaluatedProperties" : "additionalProperties"
                return LintFault(
                    node, "close \(node.label) with \"\(keyword)\": false, or say with x-open why it is open")
            }
        }
        return reasons + faults
    }

    private static func misplacedReason(_ node: SchemaNode, _ plan: LintPlan) -> LintFault? {
        guard node["x-open"] != nil else { return nil }
        guard node.openReason != nil else { return LintFault(node, at: ["x-open"], "write the reason as a string") }
        // One that only adds to another need not say that it is an object.
        let isObject = node.role == .inPlace || plan.meanings[node].takesObjects
        guard !isObject || node.isClosed else { return nil }
        return LintFault(node, at: ["x-open"], "remove x-open: nothing is open here")
    }
}
