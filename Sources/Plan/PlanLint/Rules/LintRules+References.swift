internal import JSONSchema

extension LintRule {
    static let unknownKeyword = LintRule(
        "unknown-keyword", "Keywords are those of the standard, or begin with x-",
        why: "A validator ignores what it does not know: requried requires nothing.",
        examples: .property()
    ) { node, _ in
        node.value.members.filter { SchemaKeyword(rawValue: $0.name) == nil && !$0.name.hasPrefix("x-") }.map {
            member in
            let likely = Spelling.nearest(to: member.name, in: Set(SchemaKeyword.allCases.map(\.rawValue)))
            let advice = likely.map { "write \($0)" } ?? "remove it, or let it begin with x-"
            return LintIssue(node, at: [member.name], "there is no keyword \(member.name): \(advice)")
        }
    }

    static let unknownFormat = LintRule(
        "unknown-format", "Formats are those of the standard",
        why: "A validator ignores a format that it does not know, so that everything passes.",
        examples: .property()
    ) { node, _ in
        guard let format = node[.format]?.string, !Formats.known.contains(format) else { return [] }
        let likely = Spelling.nearest(to: format, in: Formats.known)
        let advice = likely.map { "write \($0)" } ?? "write a pattern instead"
        return [LintIssue(node, at: .format, "there is no format \(format): \(advice)")]
    }

    static let deadReference = LintRule(
        "dead-reference", "References lead to a schema of the folder",
        why: "What cannot be found cannot be checked; validators differ in whether they say so.",
        examples: .value
    ) { plan in
        plan.schemas.flatMap { node in
            zip(node.references, node.targets).compactMap { reference, target in
                guard target == nil, !node.leadsToMetaSchema(reference.keyword) else { return nil }
                return LintIssue(
                    node, at: reference.keyword, "nothing stands at \(reference.text): correct the reference")
            }
        }
    }

    static let unusedDefinition = LintRule(
        "unused-definition", "Each schema in $defs is used",
        why: "What nothing refers to says nothing, and is taken for a rule all the same.",
        examples: .value
    ) { plan in
        // Definitions that only refer to each other are used by nobody.
        let roots = plan.documents.compactMap(\.root)
        var used: Set<Subschema> = []
        for node in plan.meanings.parts.reached(from: roots, conditions: true) {
            // What a used one is in is used as well.
            var next: Subschema? = node
            while let schema = next, used.insert(schema).inserted { next = schema.parent }
        }
        return plan.schemas.compactMap { node in
            guard case .definition(let name) = node.role, !used.contains(node) else { return nil }
            return LintIssue(node, "remove \(name) from $defs: nothing that is used refers to it")
        }
    }
}

/// The formats of JSON Schema 2020-12 (validation, section 7.3).
enum Formats {
    /// Every format that the standard knows.
    static let known = StandardFormats.names

    /// Those whose values cannot be long; a time can: nothing limits the digits of its seconds.
    static let bounded: Set<String> = ["uuid", "date", "ipv4", "ipv6"]

    /// Those whose values can hold nothing that a person wrote.
    static let impersonal: Set<String> = ["uuid", "date-time", "date", "time"]
}
