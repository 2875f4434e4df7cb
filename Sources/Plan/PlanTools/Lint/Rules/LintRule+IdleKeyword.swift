internal import JSONSchema

extension LintRule {
    static let idleKeyword = LintRule(
        "idle-keyword", "Keywords apply to the type beside them",
        why: "A limit of another type is silently ignored: maxLength on an integer limits nothing.",
        good: .property(#""page": {"type": "integer", "minimum": 1, "maximum": 100, "description": "From 1."}"#),
        bad: .property(
            #""page": {"type": "integer", "minimum": 1, "maximum": 100, "maxLength": 3, "description": "From 1."}"#)
    ) { node, _ in
        let types = Set(node.types)
        guard !types.isEmpty else { return [] }
        return node.value.members.compactMap { member in
            guard let fitting = Keywords.types[member.name], types.isDisjoint(with: fitting) else { return nil }
            let list = fitting.joined(separator: " or ")
            return LintFault(
                node, at: [member.name], "remove \(member.name), or make the type \(list): it says nothing here")
        }
    }
}
