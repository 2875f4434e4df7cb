internal import JSONSchema
internal import TrackingPlan

/// Rules about the values of `x-…` annotations.
extension LintRule {
    static let sinceDate = LintRule(
        "since-date", "x-since is the date on which a version was published",
        why: "The generated pages show the date in the event's history and sort by it.",
        examples: .member
    ) { node, plan in issues(of: .since, in: node, plan) }

    static let piiValue = LintRule(
        "pii-value", "x-pii is false, true, \"drop\", \"hash\" or \"truncate:N\"",
        why: "The redaction code is generated from this value. An unknown value would leave personal data in place.",
        examples: .property()
    ) { node, plan in issues(of: .pii, in: node, plan) }

    static let exceptionRule = LintRule(
        "lint-exception", "Each exception names a rule that is broken, and gives a reason",
        why: "An exception applies to one rule and one subschema, not to the subschemas in it: \"x-lint\": "
            + "{\"rule-id\": \"the reason\"}. An exception that is no longer needed would hide the next mistake.",
        examples: .property()
    ) { node, plan in issues(of: .lint, in: node, plan) }

    static let unitValue = LintRule(
        "unit-value", "x-unit names the unit of a number",
        why:
            "Reading seconds as milliseconds is wrong by a factor of 1,000, and no validator notices. The generated pages show "
            + "the unit next to the limits. Only numbers have a unit.",
        examples: .property()
    ) { node, plan in issues(of: .unit, in: node, plan) }

    static let priorityValue = LintRule(
        "priority-value", "x-priority is \"normal\" or \"critical\", in the root schema of an event",
        why:
            "The SDK reserves a quarter of the journal's limit for critical events. Code generation reads the priority from the "
            + "event's root schema, and rejects any other value and location.",
        examples: .member
    ) { node, plan in issues(of: .priority, in: node, plan) }

    /// Returns the issues of an annotation's value. The switch has no `default`: every new annotation needs a check.
    static func issues(of annotation: PlanAnnotation, in node: Subschema, _ plan: LintPlan) -> [LintIssue] {
        guard let value = node[annotation] else { return [] }
        switch annotation {
        case .pii:
            guard PersonalData(value) == nil else { return [] }
            return [
                LintIssue(node, at: .pii, "write false, true, \"drop\", \"hash\" or \"truncate:N\" with N from 1")
            ]
        case .open: return openIssues(node, plan)
        case .since:
            let isDate =
                value.string != nil && plan.judge.satisfies(value.source, keyword: .format, limit: #""date""#) ?? true
            if isDate, node.role == .root { return [] }
            return [LintIssue(node, at: .since, "write a date such as 2018-09-12, in the root schema only")]
        case .lint: return exceptionIssues(node, value)
        case .unit:
            guard value.string?.contains(where: { !$0.isWhitespace }) == true else {
                return [LintIssue(node, at: .unit, "write the unit as a string, such as ms, EUR or bytes")]
            }
            let types = plan.meanings[node].types.subtracting(.null)
            guard types.isEmpty || !types.isSubset(of: [.integer, .fraction]) else { return [] }
            return [
                LintIssue(node, at: .unit, "remove x-unit, or make the type integer or number: only these have a unit")
            ]
        case .priority:
            guard node.role == .root, !LintDocument.isContainer(node.path) else {
                return [
                    LintIssue(node, at: .priority, "remove x-priority: only the root schema of an event has a priority")
                ]
            }
            guard SchemaPriority(value) == nil else { return [] }
            return [LintIssue(node, at: .priority, "write \"normal\" or \"critical\"")]
        case .purpose, .purposeJustification: return purposeIssues(of: annotation, in: node, value)
        // Code generation checks Swift names.
        case .swiftName, .swiftNames, .swiftType, .swiftLabel, .swiftFactory: return []
        }
    }

    private static func openIssues(_ node: Subschema, _ plan: LintPlan) -> [LintIssue] {
        guard node.openReason != nil else { return [LintIssue(node, at: .open, "write the reason as a string")] }
        // A schema that extends another need not declare the type object.
        let isObject = node.role == .inPlace || plan.meanings[node].acceptsObjects
        guard !isObject || node.isClosed else { return [] }
        return [LintIssue(node, at: .open, "remove x-open: this schema is not open")]
    }

    private static func exceptionIssues(_ node: Subschema, _ exceptions: JSONDocument.Value) -> [LintIssue] {
        guard exceptions.kind == .object else {
            return [LintIssue(node, at: .lint, "write \"x-lint\": {\"rule-id\": \"the reason\"}")]
        }
        let known = Set(LintRule.all.map(\.id))
        return exceptions.members.compactMap { member in
            guard known.contains(member.name) else {
                let likely = Spelling.nearest(to: member.name, in: known)
                return LintIssue(
                    node, at: .lint, then: [member.name],
                    "unknown rule \(member.name): \(likely.map { "write \($0)" } ?? "remove the exception")")
            }
            guard member.value.string?.isEmpty == false else {
                return LintIssue(node, at: .lint, then: [member.name], "write the reason as a string")
            }
            return nil
        }
    }
}
