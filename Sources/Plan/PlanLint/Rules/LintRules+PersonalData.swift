internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let piiMarked = LintRule(
        "pii-marked", "Each free string and each open object states whether it holds personal data",
        why:
            "Decide this for every new property. \"x-pii\": false means reviewed and not personal; true means personal "
            + "and kept; \"drop\", \"hash\" and \"truncate:N\" are applied before the value is written to disk. Listed "
            + "values and the formats \(Formats.impersonal.sorted().joined(separator: ", ")) need no mark.",
        examples: .property()
    ) { plan in
        func issue(_ node: Subschema) -> LintIssue {
            LintIssue(
                node,
                "mark \(node.label) with x-pii: false if it is not personal, else true, \"drop\", \"hash\" or "
                    + "\"truncate:N\"")
        }
        let strings = plan.issues(lacking: .markedText, .string, where: { $0.accepts(.string) }, issue)
        // Another rule reports objects that are open without a reason.
        let objects = plan.issues(
            lacking: .markedObject, .object, where: { $0.acceptsObjects && $0.facts.contains(.closed) }, issue)
        let found = Set(strings.compactMap(\.owner))
        return strings + objects.filter { $0.owner.map { !found.contains($0) } ?? true }
    }

    static let piiHandling = LintRule(
        "pii-handling", "Redaction leaves a valid event",
        why: "Redaction runs before validation. If it drops a required property, or writes a hash longer "
            + "than maxLength, every event is rejected.",
        examples: .property(required: ["city"])
    ) { node, plan in
        guard let mark = node[.pii], let handling = PersonalData(mark) else { return [] }
        return handling.contradictions(in: node, plan).map { LintIssue(node, at: .pii, $0) }
    }
}

extension PersonalData {
    /// Returns the problems of applying a redaction to the values of a subschema.
    func contradictions(in node: Subschema, _ plan: LintPlan) -> [String] {
        switch self {
        case .none, .kept: return []
        case .dropped:
            guard case .property(let name) = node.role else {
                return ["only a property can be dropped: mark the property that contains this value"]
            }
            return node.isRequired || plan.isRequired(name, of: node)
                ? ["\(name) is required and cannot be dropped: hash it, or make it optional"] : []
        case .hashed:
            guard node.types == ["string"] else { return ["only a string can be hashed"] }
            if let longest = node[.maxLength]?.integer, longest < 64 {
                return ["a hash has 64 characters: raise maxLength from \(longest)"]
            }
            let hash = "\"\(String(repeating: "0123456789abcdef", count: 4))\""
            let isRefused = plan.judge.violations(of: hash.utf8, for: node)?.isEmpty == false
            return isRefused ? ["64 hexadecimal digits do not satisfy the keywords next to x-pii: remove them"] : []
        case .truncated(let count):
            guard node.types == ["string"] else { return ["only a string can be truncated"] }
            if let longest = node[.maxLength]?.integer, longest < count {
                return ["nothing is truncated: maxLength is \(longest)"]
            }
            if let shortest = node[.minLength]?.integer, shortest > count {
                return ["\(count) characters are fewer than minLength \(shortest)"]
            }
            let shapes = [SchemaKeyword.pattern, .format, .enum, .const].filter { node[$0] != nil }
            return shapes.map { "a truncated string may not satisfy \($0)" }
        }
    }
}

extension LintPlan {
    /// Returns whether any schema of the property's object requires the property.
    fileprivate func isRequired(_ name: String, of property: Subschema) -> Bool {
        guard let object = property.parent else { return false }
        let parts = meanings.parts
        return parts.allPossible(of: parts.allUsers(of: object)).contains { part in
            let dependent = part[.dependentRequired]?.members.flatMap(\.value.elements) ?? []
            return ((part[.required]?.elements ?? []) + dependent).contains { $0.string == name }
        }
    }
}
