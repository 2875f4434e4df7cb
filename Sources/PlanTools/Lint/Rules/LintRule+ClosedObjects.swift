internal import JSONSchema

extension LintRule {
    static let closedObjects = LintRule(
        "closed-objects", "Objects take no member that is not described",
        why:
            "Whatever is not described slips past every other rule, personal data first. A place that must be open says "
            + "why: \"x-open\": \"the reason\".",
        good: .value(#""type": "object", "x-open": "what the server sends, as it is", "x-pii": true"#),
        bad: .value(#""type": "object", "properties": {"page": {"type": "boolean", "description": "Whether."}}"#)
    ) { node, _ in
        let open = node["x-open"]
        if open != nil, node.openReason == nil {
            return [LintFault(node, at: ["x-open"], "write the reason as a string")]
        }
        if open != nil, !node.isObject || node.isClosed {
            return [LintFault(node, at: ["x-open"], "remove x-open: nothing is open here")]
        }
        guard node.isObject, !node.isClosed, !node.isClosedAround, open == nil else { return [] }
        return [
            LintFault(
                node, "close \(node.label) with \"additionalProperties\": false, or say with x-open why it is open")
        ]
    }
}
