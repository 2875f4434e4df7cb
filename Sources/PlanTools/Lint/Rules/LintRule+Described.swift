internal import JSONSchema

extension LintRule {
    static let described = LintRule(
        "described", "The schema has a title and a description, and each property a description",
        why: "The description is what an analyst reads before a question to the app's team, and what becomes the doc "
            + "comment of the Swift code.",
        good: .property(#""page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "From 1."}"#),
        bad: .property(#""page": {"type": "integer", "minimum": 1, "maximum": 100}"#)
    ) { node, _ in
        func lacks(_ keyword: String) -> Bool {
            node[keyword]?.string?.contains(where: { !$0.isWhitespace }) != true
        }
        switch node.role {
        case .root:
            return ["title", "description"].filter(lacks).map { LintFault(node, at: [$0], "write a \($0)") }
        case .property where node.value.kind == .object && lacks("description") && node["$ref"] == nil:
            return [LintFault(node, at: ["description"], "write a description of \(node.label)")]
        default: return []
        }
    }
}
