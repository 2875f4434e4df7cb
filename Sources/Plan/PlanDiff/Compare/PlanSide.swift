internal import JSONSchema
internal import TrackingPlan

/// One side of a comparison: the schemas of a plan with their references and validators.
final class PlanSide {
    let folder: PlanFolder
    let schemas: [PlanSchema]
    let library: SchemaLibrary
    private var judges: [String: DiffJudge] = [:]

    /// - Parameter plan: nil for a folder without a plan.
    init(_ folder: PlanFolder, _ plan: EventPlan?) {
        self.folder = folder
        schemas = plan.map { $0.containers + $0.events } ?? []
        library = SchemaLibrary(schemas, in: folder)
    }

    /// The folders of the schemas: one per event, and one for the container.
    var folders: Set<String> { Set(schemas.map { Self.folder(of: $0) }) }

    /// Returns the schemas of one event, or of the container.
    func schemas(in folder: String) -> [PlanSchema] { schemas.filter { Self.folder(of: $0) == folder } }

    private static func folder(of schema: PlanSchema) -> String {
        schema.path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Returns the schema at a path; nil if there is none.
    func schema(at path: String) -> PlanSchema? { schemas.first { $0.path == path } }

    /// Returns the validator of a schema.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema`.
    func judge(_ schema: PlanSchema) throws(PlanError) -> DiffJudge {
        if let judge = judges[schema.path] { return judge }
        let judge = try DiffJudge(schema, among: schemas, in: folder)
        judges[schema.path] = judge
        return judge
    }
}

/// A validator of one schema in a plan.
struct DiffJudge {
    private let compiled: CompiledSchema

    /// - Parameter schemas: The schemas that it may reference.
    /// - Throws: ``PlanError`` with code `.notASchema` if it cannot be compiled.
    init(_ schema: PlanSchema, among schemas: [PlanSchema], in folder: PlanFolder) throws(PlanError) {
        do throws(SchemaError) {
            var set = SchemaSet()
            try set.add(schema.document, at: Self.uri(schema))
            // Ignore a schema whose URI is already in use: compiling reports any reference to it.
            for other in schemas where other.path != schema.path { try? set.add(other.document, at: Self.uri(other)) }
            compiled = try set.compile(Self.uri(schema), options: SchemaOptions(assertsFormats: true))
        } catch {
            throw PlanError(.notASchema, "\(folder.location(of: schema.path)): \(error)")
        }
    }

    private static func uri(_ schema: PlanSchema) -> String { "https://plan.invalid/\(schema.path)" }

    /// Returns whether the schema accepts a document; nil if the validator cannot decide.
    func accepts(_ json: String) -> Bool? {
        switch compiled.verdict(on: Array(json.utf8)) {
        case .valid: true
        case .invalid: false
        case .unreadable, .undecided: nil
        }
    }

    /// Returns the keywords that reject a document.
    func rejections(of json: String) -> [Rejection] {
        compiled.violations(in: Array(json.utf8)).map { violation in
            Rejection(keyword: violation.keyword, way: JSONPointer(violation.schemaPath)?.tokens ?? [])
        }
    }
}
