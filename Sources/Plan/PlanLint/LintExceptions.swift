internal import JSONSchema
internal import TrackingPlan

/// The exceptions that a plan's subschemas make for themselves, and which of them were needed.
struct LintExceptions {
    private struct Key: Hashable {
        let schema: Subschema
        let rule: String
    }

    private let schemas: [Subschema]
    private var needed: Set<Key> = []

    init(_ plan: LintPlan) { schemas = plan.schemas.filter { $0[.lint] != nil } }

    /// The rules that a subschema excuses itself from, each with a reason.
    static func rules(of node: Subschema) -> [String] {
        node[.lint]?.members.filter { $0.value.string?.isEmpty == false }.map(\.name) ?? []
    }

    /// Whether the subschema of a fault excuses itself from the rule.
    mutating func excuse(_ issue: LintIssue, from rule: String) -> Bool {
        guard rule != LintRule.exceptionRule.id, let owner = issue.owner, Self.rules(of: owner).contains(rule) else {
            return false
        }
        needed.insert(Key(schema: owner, rule: rule))
        return true
    }

    /// A fault for each exception that excused nothing.
    ///
    /// - Parameter checked: The ids of the rules that were asked.
    func unneeded(of checked: Set<String>) -> [LintIssue] {
        schemas.flatMap { node in
            Self.rules(of: node).compactMap { rule in
                let isNeeded = needed.contains(Key(schema: node, rule: rule))
                guard checked.contains(rule), !isNeeded else { return nil }
                return LintIssue(node, at: .lint, then: [rule], "nothing here breaks \(rule): remove the exception")
            }
        }
    }
}
