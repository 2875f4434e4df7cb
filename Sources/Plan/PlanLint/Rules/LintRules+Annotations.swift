internal import JSONSchema
internal import TrackingPlan

/// What the plan's own annotations may say.
extension LintRule {
    static let sinceDate = LintRule(
        "since-date", "x-since is the date on which a version was published",
        why: "The pages show it in the history of an event, and sort by nothing else than what is written here.",
        examples: .member
    ) { node, plan in issues(of: .since, in: node, plan) }

    static let piiValue = LintRule(
        "pii-value", "x-pii is false, true, \"drop\", \"hash\" or \"truncate:N\"",
        why: "The code that redacts is generated from it; a word that it does not know would let the value through.",
        examples: .property()
    ) { node, plan in issues(of: .pii, in: node, plan) }

    static let exceptionRule = LintRule(
        "lint-exception", "Exceptions name a rule that is broken, and a reason",
        why: "An exception excuses the subschema it stands in, and nothing within it, from one rule: \"x-lint\": "
            + "{\"rule-id\": \"the reason\"}. One that is not needed, or no longer, hides the next slip.",
        examples: .property()
    ) { node, plan in issues(of: .lint, in: node, plan) }

    static let unitValue = LintRule(
        "unit-value", "x-unit names the unit of a number",
        why:
            "Seconds that are read as milliseconds are wrong by a factor of 1,000, and no validator notices. The pages show "
            + "the unit next to the limits; a value that is not a number has none.",
        examples: .property()
    ) { node, plan in issues(of: .unit, in: node, plan) }

    static let priorityValue = LintRule(
        "priority-value", "x-priority is \"normal\" or \"critical\", in the outermost schema of an event",
        why:
            "The SDK keeps a quarter of the journal's limit for critical events. Code generation reads the priority from the "
            + "outermost schema of the event, and rejects any other value and any other place.",
        examples: .member
    ) { node, plan in issues(of: .priority, in: node, plan) }

    /// What is wrong with the value of an annotation. Without `default`: a new annotation needs its check.
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
            let isDate = value.string != nil && plan.judge.satisfies(value.source, .format, #""date""#) ?? true
            if isDate, node.role == .root { return [] }
            return [LintIssue(node, at: .since, "write a date such as 2018-09-12, in the outermost schema only")]
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
                    LintIssue(node, at: .priority, "remove x-priority: only the outermost schema of an event has one")
                ]
            }
            guard SchemaPriority(value) == nil else { return [] }
            return [LintIssue(node, at: .priority, "write \"normal\" or \"critical\"")]
        // Code generation checks names in Swift.
        case .swiftName, .swiftNames, .swiftType, .swiftLabel, .swiftFactory: return []
        }
    }

    private static func openIssues(_ node: Subschema, _ plan: LintPlan) -> [LintIssue] {
        guard node.openReason != nil else { return [LintIssue(node, at: .open, "write the reason as a string")] }
        // One that only adds to another need not say that it is an object.
        let isObject = node.role == .inPlace || plan.meanings[node].takesObjects
        guard !isObject || node.isClosed else { return [] }
        return [LintIssue(node, at: .open, "remove x-open: nothing is open here")]
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
                    "there is no rule \(member.name)\(likely.map { ": write \($0)" } ?? "")")
            }
            guard member.value.string?.isEmpty == false else {
                return LintIssue(node, at: .lint, then: [member.name], "write the reason as a string")
            }
            return nil
        }
    }
}
