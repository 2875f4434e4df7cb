internal import JSONSchema

extension LintRule {
    static let unknownKeyword = LintRule(
        "unknown-keyword", "Keywords are standard, or start with x-",
        why: "Validators ignore unknown keywords: the misspelled keyword requried requires nothing.",
        examples: .property()
    ) { node, _ in
        node.value.members.filter { SchemaKeyword(rawValue: $0.name) == nil && !$0.name.hasPrefix("x-") }.map {
            member in
            let likely = Spelling.nearest(to: member.name, in: Set(SchemaKeyword.allCases.map(\.rawValue)))
            let advice = likely.map { "write \($0)" } ?? "remove it, or start it with x-"
            return LintIssue(node, at: [member.name], "unknown keyword \(member.name): \(advice)")
        }
    }

    static let unknownFormat = LintRule(
        "unknown-format", "Formats are standard",
        why: "Validators ignore unknown formats, so they accept every string.",
        examples: .property()
    ) { node, _ in
        guard let format = node[.format]?.string, !Formats.known.contains(format) else { return [] }
        let likely = Spelling.nearest(to: format, in: Formats.known)
        let advice = likely.map { "write \($0)" } ?? "write a pattern instead"
        return [LintIssue(node, at: .format, "unknown format \(format): \(advice)")]
    }

    static let deadReference = LintRule(
        "dead-reference", "References lead to a schema in the folder",
        why: "A value without its schema cannot be checked, and not every validator reports that.",
        examples: .value
    ) { plan in
        plan.schemas.flatMap { node in
            zip(node.references, node.targets).compactMap { reference, target in
                guard target == nil, !node.leadsToMetaSchema(reference.keyword) else { return nil }
                return LintIssue(
                    node, at: reference.keyword, "correct the reference: \(reference.text) does not exist")
            }
        }
    }

    static let unusedDefinition = LintRule(
        "unused-definition", "Each schema in $defs is used",
        why: "A definition that is never referenced has no effect, but looks like a rule.",
        examples: .value
    ) { plan in
        // Definitions that only reference each other are unused.
        let roots = plan.documents.compactMap(\.root)
        var used: Set<Subschema> = []
        for node in plan.meanings.parts.reached(from: roots, conditions: true) {
            // The parents of a used definition are used as well.
            var next: Subschema? = node
            while let schema = next, used.insert(schema).inserted { next = schema.parent }
        }
        return plan.schemas.compactMap { node in
            guard case .definition(let name) = node.role, !used.contains(node) else { return nil }
            return LintIssue(node, "remove \(name) from $defs: it is never used")
        }
    }
}

/// The formats of JSON Schema 2020-12 (validation, section 7.3).
enum Formats {
    /// Every format of the standard.
    static let known = StandardFormats.names

    /// The formats that limit the length. `time` does not: the digits of its seconds are unlimited.
    static let bounded: Set<String> = ["uuid", "date", "ipv4", "ipv6"]

    /// The formats whose values hold no text written by a person.
    static let impersonal: Set<String> = ["uuid", "date-time", "date", "time"]
}
