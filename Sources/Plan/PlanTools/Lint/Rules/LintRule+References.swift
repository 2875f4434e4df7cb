internal import JSONSchema

extension LintRule {
    private static let shared = #""$defs": {"flag": {"type": "boolean", "description": "Whether."}}"#

    private static func refersTo(_ reference: String) -> String {
        """
        "type": "object", "additionalProperties": false, "properties": {"a": {"$ref": "\(reference)"}}
        """
    }

    static let deadReference = LintRule(
        "dead-reference", "References lead to a schema of the folder",
        why: "What cannot be found cannot be checked; validators differ in whether they say so.",
        good: .value(refersTo("#/properties/value/$defs/flag") + ", " + shared),
        bad: .value(refersTo("#/$defs/flga"))
    ) { plan in
        var standard: [String: Bool] = [:]
        func isStandard(_ reference: String, from node: SchemaNode) -> Bool {
            let key = "\(node.base) \(reference)"
            let known = standard[key] ?? SchemaReferences.isStandard(reference, from: node)
            standard[key] = known
            return known
        }
        return plan.documents.flatMap(\.nodes).flatMap { node in
            SchemaReferences.references(of: node).compactMap { keyword, reference in
                guard plan.references.target(of: reference, from: node) == nil, !isStandard(reference, from: node)
                else { return nil }
                return LintFault(node, at: [keyword], "nothing stands at \(reference): correct the reference")
            }
        }
    }

    static let unusedDefinition = LintRule(
        "unused-definition", "Each schema in $defs is used",
        why: "What nothing refers to says nothing, and is taken for a rule all the same.",
        good: .value(refersTo("#/properties/value/$defs/flag") + ", " + shared),
        bad: .value(#""type": "object", "additionalProperties": false, "# + shared)
    ) { plan in
        // Definitions that only refer to each other are used by nobody.
        let roots = plan.documents.compactMap(\.nodes.first)
        var used: Set<SchemaReferences.Place> = []
        for node in plan.meanings.parts.reached(from: roots, conditions: true) {
            // What a used one stands in is used as well.
            var next: SchemaReferences.Place? = node.place
            while let place = next, used.insert(place).inserted { next = plan.references[place]?.around }
        }
        return plan.documents.flatMap(\.nodes).compactMap { node in
            guard case .definition(let name) = node.role, !used.contains(node.place) else { return nil }
            return LintFault(node, "remove \(name) from $defs: nothing that is used refers to it")
        }
    }
}
