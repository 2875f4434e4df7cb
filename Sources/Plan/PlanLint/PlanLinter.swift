internal import JSONSchema
package import TrackingPlan

/// Finds violations of the rules in a folder of schemas.
package enum PlanLinter {
    /// Returns every finding, ordered by path, location and rule.
    ///
    /// `"x-lint": {"rule-id": "the reason"}` makes an exception for one subschema, not for the subschemas in it.
    /// Complexity: each rule visits each subschema once, with the schemas that apply to the same value. Rules that
    /// validate values compile each subschema once, with everything it references.
    ///
    /// - Parameter today: The current day in UTC, such as `2026-11-25`, for rules with a deadline; nil to treat no day
    ///   as past.
    package static func findings(
        in folder: PlanFolder, rules: [LintRule] = LintRule.all, today: String? = nil
    ) -> [LintFinding] {
        let plan = LintPlan(folder, today: today)
        var exceptions = LintExceptions(plan)
        var found: [(issue: LintIssue, rule: LintRule)] = []
        for rule in rules {
            for issue in rule.check(plan) where !exceptions.excuse(issue, from: rule.id) { found.append((issue, rule)) }
        }
        if rules.contains(where: { $0.id == LintRule.exceptionRule.id }) {
            let checked = Set(rules.map(\.id))
            found += exceptions.unneeded(of: checked).map { ($0, LintRule.exceptionRule) }
        }
        return located(found, in: folder)
    }

    /// Returns notes that are not findings: each event that is allowed without a schema.
    package static func notes(in folder: PlanFolder, today: String? = nil) -> [LintFinding] {
        located(LintRule.unplannedNotes(LintPlan(folder, today: today)).map { ($0, .unplannedEvent) }, in: folder)
    }

    private static func located(
        _ found: [(issue: LintIssue, rule: LintRule)], in folder: PlanFolder
    ) -> [LintFinding] {
        var lines: [String: LineStarts] = [:]
        for path in Set(found.map(\.issue.path)) { lines[path] = LineStarts(folder.file(path)?.bytes ?? []) }
        return found.enumerated().sorted { left, right in
            let one = left.element.issue
            let other = right.element.issue
            if one.path != other.path { return one.path.utf8.lexicographicallyPrecedes(other.path.utf8) }
            return (one.offset, left.offset) < (other.offset, right.offset)
        }.map { _, element in
            let (issue, rule) = element
            let (line, column) = lines[issue.path]?.location(of: issue.offset) ?? (1, 1)
            return LintFinding(
                rule: rule.id, path: issue.path, line: line, column: column, pointer: issue.pointer.description,
                message: issue.message)
        }
    }
}

/// The line offsets of a file.
struct LineStarts {
    /// The offset of each line, in bytes; the first is 0.
    private let starts: [Int]
    private let count: Int

    init(_ bytes: [UInt8]) {
        count = bytes.count
        starts = [0] + bytes.indices.filter { bytes[$0] == 0x0A }.map { $0 + 1 }
    }

    /// Returns the line and the column of an offset, both from 1. Complexity: O(log of the lines).
    func location(of offset: Int) -> (line: Int, column: Int) {
        let offset = min(offset, count)
        var low = 0
        var high = starts.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if starts[middle] <= offset { low = middle } else { high = middle }
        }
        return (low + 1, offset - starts[low] + 1)
    }
}
