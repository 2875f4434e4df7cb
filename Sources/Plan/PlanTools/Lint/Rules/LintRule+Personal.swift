internal import JSONSchema

extension LintRule {
    static let piiMarked = LintRule(
        "pii-marked", "Each free string and each open object says whether it holds personal data",
        why:
            "Whoever adds a property looks at it once with this question: \"x-pii\": false was looked at, true is kept "
            + "as it is; \"drop\", \"hash\" and \"truncate:N\" say what happens before anything reaches a disk. Listed "
            + "values and the formats \(Formats.impersonal.sorted().joined(separator: ", ")) need no mark.",
        good: .property(#""city": {"type": "string", "maxLength": 80, "description": "Where.", "x-pii": "hash"}"#),
        bad: .property(#""city": {"type": "string", "maxLength": 80, "description": "Where."}"#)
    ) { plan in
        func fault(_ node: SchemaNode) -> LintFault {
            LintFault(
                node,
                "mark \(node.label) with x-pii: false if it is not personal, else true, \"drop\", \"hash\" or "
                    + "\"truncate:N\"")
        }
        let strings = plan.faults(lacking: .markedText, .string, where: { $0.takes(.string) }, fault)
        // Those that are open without a reason have a rule of their own.
        let objects = plan.faults(
            lacking: .markedObject, .object, where: { $0.takesObjects && $0.facts.contains(.closed) }, fault)
        let found = Set(strings.compactMap { $0.owner?.place })
        return strings + objects.filter { $0.owner.map { !found.contains($0.place) } ?? true }
    }

    static let piiValue = LintRule(
        "pii-value", "x-pii is false, true, \"drop\", \"hash\" or \"truncate:N\"",
        why: "The code that redacts is generated from it; a word that it does not know would let the value through.",
        good: .property(
            #""city": {"type": "string", "maxLength": 80, "description": "Where.", "x-pii": "truncate:3"}"#),
        bad: .property(#""city": {"type": "string", "maxLength": 80, "description": "Where.", "x-pii": "remove"}"#)
    ) { node, _ in
        guard let mark = node["x-pii"], PersonalData(mark) == nil else { return [] }
        return [LintFault(node, at: ["x-pii"], "write false, true, \"drop\", \"hash\" or \"truncate:N\" with N from 1")]
    }

    static let piiHandling = LintRule(
        "pii-handling", "What happens to personal data leaves a valid event",
        why: "Redaction comes before validation: an event whose required property was dropped, or whose hash is longer "
            + "than maxLength, would be refused every time.",
        good: .property(
            #""city": {"type": "string", "maxLength": 64, "description": "Where.", "x-pii": "hash"}"#,
            required: ["city"]),
        bad: .property(
            #""city": {"type": "string", "maxLength": 64, "description": "Where.", "x-pii": "drop"}"#,
            required: ["city"])
    ) { node, plan in
        guard let mark = node["x-pii"], let handling = PersonalData(mark) else { return [] }
        return handling.contradictions(in: node, plan).map { LintFault(node, at: ["x-pii"], $0) }
    }
}
