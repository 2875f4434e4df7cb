internal import JSONSchema
package import TrackingPlan

/// Finds what breaks the rules in a folder of schemas.
package enum PlanLinter {
    /// Every finding, in the order of path, place and rule.
    ///
    /// A subschema excuses itself, and nothing within it, from a rule with `"x-lint": {"rule-id": "the reason"}`.
    /// Complexity: O(bytes × rules).
    package static func findings(in folder: PlanFolder, rules: [LintRule] = LintRule.all) -> [LintFinding] {
        let plan = LintPlan(folder)
        var exceptions = LintExceptions(plan)
        var found: [(fault: LintFault, rule: LintRule)] = []
        for rule in rules {
            for fault in rule.check(plan) where !exceptions.excuse(fault, from: rule.id) { found.append((fault, rule)) }
        }
        if rules.contains(where: { $0.id == LintRule.exceptionRule.id }) {
            let checked = Set(rules.map(\.id))
            found += exceptions.unneeded(of: checked).map { ($0, LintRule.exceptionRule) }
        }
        return found.enumerated().sorted { left, right in
            let (one, other) = (left.element.fault, right.element.fault)
            if one.path != other.path { return one.path.utf8.lexicographicallyPrecedes(other.path.utf8) }
            return (one.offset, left.offset) < (other.offset, right.offset)
        }.map { finding($0.element.fault, $0.element.rule, in: folder) }
    }

    private static func finding(_ fault: LintFault, _ rule: LintRule, in folder: PlanFolder) -> LintFinding {
        let before = (folder.file(fault.path)?.bytes ?? []).prefix(fault.offset)
        let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
        return LintFinding(
            rule: rule.id, path: fault.path, line: before.count { $0 == 0x0A } + 1,
            column: before.count - lineStart + 1, pointer: fault.pointer.description, message: fault.message)
    }
}
