internal import JSONSchema

extension LintRule {
    static let patternAnchored = LintRule(
        "pattern-anchored", "Patterns begin with ^ and end with $",
        why: "A pattern is searched for anywhere: [a-z]+ takes every string with one small letter in it.",
        good: .property(
            #""code": {"type": "string", "maxLength": 3, "pattern": "^[a-z]+$", "description": "Which.", "x-pii": false}"#
        ),
        bad: .property(
            #""code": {"type": "string", "maxLength": 3, "pattern": "[a-z]+", "description": "Which.", "x-pii": false}"#
        )
    ) { node, _ in
        guard let pattern = node["pattern"]?.string else { return [] }
        let isAnchored = pattern.hasPrefix("^") && pattern.hasSuffix("$") && !pattern.hasSuffix(#"\$"#)
        return isAnchored ? [] : [LintFault(node, at: ["pattern"], "write the pattern as ^(…)$")]
    }
}
