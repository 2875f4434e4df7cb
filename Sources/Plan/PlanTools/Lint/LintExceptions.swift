internal import JSONSchema

/// The exceptions that a plan's subschemas make for themselves, and which of them were needed.
struct LintExceptions {
    private struct Key: Hashable {
        let path: String
        let pointer: JSONPointer
        let rule: String
    }

    private let nodes: [SchemaNode]
    private var needed: Set<Key> = []

    init(_ plan: LintPlan) { nodes = plan.documents.flatMap(\.nodes).filter { $0["x-lint"] != nil } }

    /// The rules that a subschema excuses itself from, each with a reason.
    static func rules(of node: SchemaNode) -> [String] {
        node["x-lint"]?.members.filter { $0.value.string?.isEmpty == false }.map(\.name) ?? []
    }

    /// Whether the subschema of a fault excuses itself from the rule.
    mutating func excuse(_ fault: LintFault, from rule: String) -> Bool {
        guard rule != LintRule.exceptionRule.id, let owner = fault.owner, Self.rules(of: owner).contains(rule) else {
            return false
        }
        needed.insert(Key(path: owner.path, pointer: owner.pointer, rule: rule))
        return true
    }

    /// A fault for each exception that excused nothing.
    ///
    /// - Parameter checked: The ids of the rules that were asked.
    func unneeded(of checked: Set<String>) -> [LintFault] {
        nodes.flatMap { node in
            Self.rules(of: node).compactMap { rule in
                let isNeeded = needed.contains(Key(path: node.path, pointer: node.pointer, rule: rule))
                guard checked.contains(rule), !isNeeded else { return nil }
                return LintFault(node, at: ["x-lint", rule], "nothing here breaks \(rule): remove the exception")
            }
        }
    }
}
