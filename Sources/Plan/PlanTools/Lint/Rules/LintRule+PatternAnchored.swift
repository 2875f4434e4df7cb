internal import JSONSchema

extension LintRule {
    static let patternAnchored = LintRule(
        "pattern-anchored", "Patterns begin with ^ and end with $, in each alternative",
        why: "A pattern is searched for anywhere: [a-z]+ takes every string with one small letter in it.",
        good: .property(
            #""code": {"type": "string", "maxLength": 3, "pattern": "^[a-z]+$", "description": "Which.", "x-pii": false}"#
        ),
        bad: .property(
            #""code": {"type": "string", "maxLength": 3, "pattern": "[a-z]+", "description": "Which.", "x-pii": false}"#
        )
    ) { node, _ in
        let names = (node["patternProperties"]?.members ?? []).map { (["patternProperties", $0.name], $0.name) }
        let own = node["pattern"]?.string.map { [(["pattern"], $0)] } ?? []
        return (own + names).filter { !PatternText.isAnchored($0.1) }.map { way, _ in
            LintFault(node, at: way, "write the pattern as ^(…)$")
        }
    }
}
