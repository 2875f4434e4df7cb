internal import JSONSchema

extension LintRule {
    static let exceptionRule = LintRule(
        "lint-exception", "Exceptions name a rule that is broken, and a reason",
        why: "An exception excuses the subschema it stands in, and nothing within it, from one rule: \"x-lint\": "
            + "{\"rule-id\": \"the reason\"}. One that is not needed, or no longer, hides the next slip.",
        good: .property(
            #""city": {"type": "string", "maxLength": 80, "pattern": "-", "description": "Where.", "x-pii": false, "#
                + #""x-lint": {"pattern-anchored": "a hyphen anywhere is what is meant"}}"#),
        bad: .property(#""new": {"type": "boolean", "description": "Whether.", "x-lint": {"string-bounds": "short"}}"#)
    ) { node, _ in
        guard let exceptions = node["x-lint"] else { return [] }
        guard exceptions.kind == .object else {
            return [LintFault(node, at: ["x-lint"], "write \"x-lint\": {\"rule-id\": \"the reason\"}")]
        }
        let known = Set(LintRule.all.map(\.id))
        return exceptions.members.compactMap { member in
            let way = ["x-lint", member.name]
            guard known.contains(member.name) else {
                let likely = Spelling.nearest(to: member.name, in: known)
                return LintFault(
                    node, at: way, "there is no rule \(member.name)\(likely.map { ": write \($0)" } ?? "")")
            }
            guard member.value.string?.isEmpty == false else {
                return LintFault(node, at: way, "write the reason as a string")
            }
            return nil
        }
    }
}
