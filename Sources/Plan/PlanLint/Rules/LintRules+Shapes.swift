internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let closedObjects = LintRule(
        "closed-objects", "Objects take no member that is not described",
        why:
            "Whatever is not described slips past every other rule, personal data first. A place that must be open says "
            + "why: \"x-open\": \"the reason\".",
        examples: .value
    ) { plan in
        let reasons = plan.schemas.flatMap { LintRule.issues(of: .open, in: $0, plan) }
        // A schema that is closed where it is used cannot be closed itself: it would refuse what is added there.
        var seen: Set<Subschema> = []
        let issues = plan.meanings.values.flatMap { value in
            let meaning = plan.meanings[value]
            guard meaning.takesObjects, !meaning.facts.contains(.closed), value[.open] == nil else {
                return [LintIssue]()
            }
            let culprits = plan.meanings.culprits(of: value, lacking: .closed, .object)
            return culprits.map { plan.meanings.extended.contains($0) ? value : $0 }.filter {
                seen.insert($0).inserted
            }.map { node in
                let parts: [SchemaKeyword] = [.ref, .dynamicRef, .allOf, .anyOf, .oneOf, .if, .dependentSchemas]
                let hasParts = parts.contains { node[$0] != nil }
                let keyword = hasParts ? SchemaKeyword.unevaluatedProperties : .additionalProperties
                return LintIssue(
                    node, "close \(node.label) with \"\(keyword)\": false, or say with x-open why it is open")
            }
        }
        return reasons + issues
    }

    static let requiredDefined = LintRule(
        "required-defined", "What is required is described",
        why:
            "A closed object that requires what it does not describe can be satisfied by nothing. Most often one of the "
            + "two names has a slip.",
        examples: .property(required: ["is_new"]), bad: .value
    ) { plan in
        let parts = plan.meanings.parts
        let roots = plan.documents.compactMap(\.root)
        return parts.reached(from: roots, conditions: false).flatMap { node -> [LintIssue] in
            let required = node[.required]?.elements ?? []
            guard !required.isEmpty else { return [] }
            // What is closed by itself takes only what it describes itself, whatever else holds.
            let isClosed = node[.additionalProperties]?.boolean == false
            guard isClosed || node.role != .inPlace, node.openReason == nil else { return [] }
            let all = isClosed ? [node] : parts.allPossible(of: [node])
            guard isClosed || all.allSatisfy({ describesEachByName($0) }) else { return [] }
            let names = Set(all.flatMap { $0[.properties]?.members.map(\.name) ?? [] })
            let patterns = all.flatMap { $0[.patternProperties]?.members.map(\.name) ?? [] }
            return required.enumerated().compactMap { index, element in
                guard let name = element.string, !names.contains(name),
                    !patterns.contains(where: { plan.judge.matches(element.source, pattern: $0) })
                else { return nil }
                return LintIssue(
                    node, at: .required, then: ["\(index)"], "describe \(name) in properties, or require it not")
            }
        }
    }

    /// Whether no schema of other members is there, and nothing that cannot be found.
    private static func describesEachByName(_ node: Subschema) -> Bool {
        let others = [SchemaKeyword.additionalProperties, .unevaluatedProperties].compactMap { node[$0] }
        return others.allSatisfy { $0.boolean == false } && node.targets.allSatisfy { $0 != nil }
            && node[.dynamicRef] == nil
    }

    static let typed = LintRule(
        "typed", "Each property says what it takes",
        why:
            "A property without a type takes anything: a number today, an object tomorrow, and no report survives that.",
        examples: .property()
    ) { plan in
        plan.meanings.values.compactMap { node in
            switch node.role {
            case .property, .element:
                guard plan.meanings[node].types == .all else { return nil }
                return LintIssue(node, "say what \(node.label) takes: type, const, enum or $ref")
            default: return nil
            }
        }
    }
}
