internal import JSONSchema
internal import TrackingPlan

/// Says whether values satisfy the schemas of a plan.
struct SchemaJudge: Sendable {
    init(_ documents: [LintDocument]) {}

    /// What is wrong with a value for a subschema; nil if the subschema cannot be compiled.
    func violations(of bytes: some Sequence<UInt8>, for node: SchemaNode) -> [SchemaViolation]? { [] }

    /// Whether a value satisfies a schema that is written down here; nil if it cannot be compiled.
    func satisfies(_ bytes: some Sequence<UInt8>, _ schema: String) -> Bool? { nil }

    /// What is wrong with a document as a schema.
    func violations(ofSchema document: JSONDocument) -> [SchemaViolation] { [] }
}
