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
    ) { node, plan in
        SchemaReferences.references(of: node).compactMap { keyword, reference in
            guard !SchemaReferences.isStandard(reference), plan.references.target(of: reference, from: node) == nil
            else { return nil }
            return LintFault(node, at: [keyword], "nothing stands at \(reference): correct the reference")
        }
    }

    static let unusedDefinition = LintRule(
        "unused-definition", "Each schema in $defs is referred to",
        why: "What nothing refers to says nothing, and is taken for a rule all the same.",
        good: .value(refersTo("#/properties/value/$defs/flag") + ", " + shared),
        bad: .value(#""type": "object", "additionalProperties": false, "# + shared)
    ) { plan in
        let nodes = plan.documents.flatMap(\.nodes)
        var uses: [(from: SchemaNode, to: SchemaNode)] = []
        for node in nodes {
            for (_, reference) in SchemaReferences.references(of: node) {
                if let target = plan.references.target(of: reference, from: node) { uses.append((node, target)) }
            }
        }
        return nodes.compactMap { node in
            guard case .definition(let name) = node.role else { return nil }
            // A definition that only refers to itself is used by nobody.
            let isUsed = uses.contains { node.holds($0.to) && !node.holds($0.from) }
            return isUsed ? nil : LintFault(node, "remove \(name) from $defs: nothing refers to it")
        }
    }
}

extension SchemaNode {
    /// Whether another subschema is this one, or stands in it.
    fileprivate func holds(_ other: SchemaNode) -> Bool {
        path == other.path && other.pointer.tokens.starts(with: pointer.tokens)
    }
}
