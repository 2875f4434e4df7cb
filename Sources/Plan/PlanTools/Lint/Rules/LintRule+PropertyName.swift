internal import EventModel
internal import JSONSchema

extension LintRule {
    static let propertyName = LintRule(
        "property-name", "Names of properties are snake_case",
        why: "A line is read by people, SQL and many languages; one form for all names spares each of them a table of "
            + "exceptions.",
        good: .property(#""user_info": {"type": "boolean", "description": "Whether something came with it."}"#),
        bad: .property(#""userInfo": {"type": "boolean", "description": "Whether something came with it."}"#)
    ) { node, _ in
        guard case .property(let name) = node.role, !PropertyName.isValid(name) else { return [] }
        return [LintFault(node, "rename \(name): a-z, 0-9 and single _ between, a letter first, at most 64 bytes")]
    }
}
