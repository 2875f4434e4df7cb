internal import JSONSchema

extension LintRule {
    static let examplesPresent = LintRule(
        "examples-present", "Each schema holds an example",
        why: "An example is understood before any rule is, and proves that the schema can be satisfied.",
        good: .event(#""examples": [{"name": "sign-up"}]"#),
        bad: .event(#""examples": [{"name": "sign-up"}]"#, becomes: #""examples": []"#)
    ) { _, root in
        guard root["examples"]?.elements.isEmpty != false else { return [] }
        return [LintFault(root, at: ["examples"], "write at least one example in \"examples\"")]
    }

    static let examplesValid = LintRule(
        "examples-valid", "Examples satisfy the schema they stand in",
        why: "A wrong example is copied more often than a right one.",
        good: .property(
            #""page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "From 1.", "examples": [1]}"#),
        bad: .property(
            #""page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "From 1.", "examples": [0]}"#)
    ) { node, plan in
        let examples = node["examples"]?.elements ?? []
        guard !examples.isEmpty, let schema = plan.judge.compiled(node) else { return [] }
        return examples.enumerated().flatMap { index, example in
            schema.violations(in: Array(example.source)).map { violation in
                let way = ["examples", "\(index)"] + LintFault.tokens(violation.instancePath)
                return LintFault(node, at: way, "correct the example or the schema: \(violation.message)")
            }
        }
    }
}
