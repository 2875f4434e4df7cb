internal import JSONSchema

extension LintRule {
    static let metaSchema = LintRule(
        "meta-schema", "A schema satisfies the meta-schema of JSON Schema 2020-12",
        why: "A keyword with a value it cannot have is ignored by one validator and refused by the next.",
        good: .property(#""page": {"type": "boolean", "description": "Whether.", "deprecated": true}"#),
        bad: .property(#""page": {"type": "boolean", "description": "Whether.", "deprecated": "yes"}"#)
    ) { plan in
        plan.documents.flatMap { document in
            plan.judge.violations(ofSchema: document.document).map { violation in
                LintFault(
                    document.path, offset: violation.offset, pointer: .init(violation.instancePath) ?? .init(),
                    "correct it: \(violation.message)")
            }
        }
    }
}
