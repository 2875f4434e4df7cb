internal import JSONSchema
internal import TrackingPlan

extension LintRule {
    static let closedObjects = LintRule(
        "closed-objects", "Objects reject undescribed members",
        why:
            "No rule checks an undescribed member, which may hold personal data. If an object must be open, give a "
            + "reason: \"x-open\": \"the reason\".",
        examples: .value
    ) { plan in
        let reasons = plan.schemas.flatMap { LintRule.issues(of: .open, in: $0, plan) }
        // A schema that is closed where it is used must stay open: it would reject the members added there.
        var seen: Set<Subschema> = []
        let issues = plan.meanings.values.flatMap { value in
            let meaning = plan.meanings[value]
            guard meaning.acceptsObjects, !meaning.facts.contains(.closed), value[.open] == nil else {
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
                    node, "close \(node.label) with \"\(keyword)\": false, or give the reason in x-open")
            }
        }
        return reasons + issues
    }

    static let requiredDefined = LintRule(
        "required-defined", "Required members are described",
        why:
            "No value satisfies a closed object that requires an undescribed member. Usually one of the "
            + "two names has a typo.",
        examples: .property(required: ["is_new"]), bad: .value
    ) { plan in
        let parts = plan.meanings.parts
        let roots = plan.documents.compactMap(\.root)
        return parts.reached(from: roots, conditions: false).flatMap { node -> [LintIssue] in
            let required = node[.required]?.elements ?? []
            guard !required.isEmpty else { return [] }
            // A closed object accepts only the members that it describes, whatever other schemas apply.
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
                    node, at: .required, then: ["\(index)"],
                    "describe \(name) in properties, or remove it from required")
            }
        }
    }

    /// Returns whether the schema describes members only by name, and all its references resolve.
    private static func describesEachByName(_ node: Subschema) -> Bool {
        let others = [SchemaKeyword.additionalProperties, .unevaluatedProperties].compactMap { node[$0] }
        return others.allSatisfy { $0.boolean == false } && node.targets.allSatisfy { $0 != nil }
            && node[.dynamicRef] == nil
    }

    static let typed = LintRule(
        "typed", "Each property states its type",
        why:
            "A property without a type accepts anything, a number today and an object tomorrow, which breaks reports.",
        examples: .property()
    ) { plan in
        plan.meanings.values.compactMap { node in
            switch node.role {
            case .property, .element:
                guard plan.meanings[node].types == .all else { return nil }
                return LintIssue(node, "add a type, const, enum or $ref to \(node.label)")
            default: return nil
            }
        }
    }
}
