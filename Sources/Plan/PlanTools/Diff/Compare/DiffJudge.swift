internal import JSONSchema
internal import TrackingPlan

/// A validator for one schema of a plan.
struct DiffJudge {
    private let compiled: CompiledSchema

    /// - Parameter schemas: What it may refer to.
    /// - Throws: ``PlanError`` with code `.notASchema` if it cannot be compiled.
    init(_ schema: PlanSchema, among schemas: [PlanSchema], in folder: PlanFolder) throws(PlanError) {
        do throws(SchemaError) {
            var set = SchemaSet()
            try set.add(schema.document, at: Self.uri(schema))
            // One whose name another has already taken is not needed: what refers to it would be refused here.
            for other in schemas where other.path != schema.path { try? set.add(other.document, at: Self.uri(other)) }
            compiled = try set.compile(Self.uri(schema), options: SchemaOptions(assertsFormats: true))
        } catch {
            throw PlanError(.notASchema, "\(folder.place(of: schema.path)): \(error)")
        }
    }

    private static func uri(_ schema: PlanSchema) -> String { "https://plan.invalid/\(schema.path)" }

    /// Whether it takes a document; nil if it cannot tell.
    func takes(_ json: String) -> Bool? {
        switch compiled.verdict(on: Array(json.utf8)) {
        case .valid: true
        case .invalid: false
        case .unreadable, .undecided: nil
        }
    }

    /// The rules by which it refuses a document.
    func refusals(of json: String) -> [Refusal] {
        compiled.violations(in: Array(json.utf8)).map { violation in
            Refusal(keyword: violation.keyword, way: JSONPointer(violation.schemaPath)?.tokens ?? [])
        }
    }
}
