internal import JSONSchema

extension LintRule {
    static let valuesFit = LintRule(
        "values-fit", "enum, const and default satisfy the keywords beside them",
        why: "A listed value of another type, or past a limit, can never be sent: a slip in one of the two.",
        good: .property(#""plan": {"type": "string", "enum": ["free", "paid"], "description": "Which plan."}"#),
        bad: .property(#""plan": {"type": "string", "enum": ["free", 2], "description": "Which plan."}"#)
    ) { node, plan in
        let listed = (node["enum"]?.elements ?? []).enumerated().map { (["enum", "\($0)"], $1) }
        let single = ["const", "default"].compactMap { keyword in node[keyword].map { ([keyword], $0) } }
        guard !listed.isEmpty || !single.isEmpty, let schema = plan.judge.compiled(node) else { return [] }
        return (listed + single).compactMap { way, value in
            guard let violation = schema.violations(in: Array(value.source)).first else { return nil }
            return LintFault(
                node, value, at: way, "correct the value or the keywords beside it: \(violation.message)")
        }
    }
}
