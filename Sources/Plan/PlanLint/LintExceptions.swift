internal import JSONSchema
internal import TrackingPlan

/// The exceptions in a plan's subschemas, and which of them were needed.
struct LintExceptions {
    private struct Key: Hashable {
        let schema: Subschema
        let rule: String
    }

    private let schemas: [Subschema]
    private var needed: Set<Key> = []

    init(_ plan: LintPlan) { schemas = plan.schemas.filter { $0[.lint] != nil } }

    /// Returns the rules that a subschema makes an exception from, each with a reason.
    static func rules(of node: Subschema) -> [String] {
        node[.lint]?.members.filter { $0.value.string?.isEmpty == false }.map(\.name) ?? []
    }

    /// Returns whether the subschema of an issue has an exception from the rule, and marks the exception as needed.
    mutating func excuse(_ issue: LintIssue, from rule: String) -> Bool {
        guard rule != LintRule.exceptionRule.id, let owner = issue.owner, Self.rules(of: owner).contains(rule) else {
            return false
        }
        needed.insert(Key(schema: owner, rule: rule))
        return true
    }

    /// Returns an issue for each exception that was not needed.
    ///
    /// - Parameter checked: The ids of the rules that ran.
    func unneeded(of checked: Set<String>) -> [LintIssue] {
        schemas.flatMap { node in
            Self.rules(of: node).compactMap { rule in
                let isNeeded = needed.contains(Key(schema: node, rule: rule))
                guard checked.contains(rule), !isNeeded else { return nil }
                return LintIssue(node, at: .lint, then: [rule], "remove the exception: nothing here breaks \(rule)")
            }
        }
    }
}
