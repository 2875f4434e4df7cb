internal import JSONSchema
internal import TrackingPlan

/// One side of a comparison: the schemas of a plan, their references and their validators.
final class PlanSide {
    let folder: PlanFolder
    let schemas: [PlanSchema]
    let library: SchemaLibrary
    private var judges: [String: DiffJudge] = [:]

    /// - Parameter plan: Nil for a folder without one.
    init(_ folder: PlanFolder, _ plan: EventPlan?) {
        self.folder = folder
        schemas = plan.map { $0.containers + $0.events } ?? []
        library = SchemaLibrary(schemas, in: folder)
    }

    /// The folders that the schemas stand in: one for each event, and one for the container.
    var folders: Set<String> { Set(schemas.map { Self.folder(of: $0) }) }

    /// The schemas of one event, or of the container.
    func schemas(in folder: String) -> [PlanSchema] { schemas.filter { Self.folder(of: $0) == folder } }

    private static func folder(of schema: PlanSchema) -> String {
        schema.path.split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The schema of that path; nil if there is none.
    func schema(at path: String) -> PlanSchema? { schemas.first { $0.path == path } }

    /// The validator of a schema.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema`.
    func judge(_ schema: PlanSchema) throws(PlanError) -> DiffJudge {
        if let judge = judges[schema.path] { return judge }
        let judge = try DiffJudge(schema, among: schemas, in: folder)
        judges[schema.path] = judge
        return judge
    }
}
