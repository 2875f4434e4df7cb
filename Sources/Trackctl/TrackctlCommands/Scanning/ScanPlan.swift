internal import TrackingPlan

/// The plan that lines are checked against, and where it came from.
struct ScanPlan {
    let plan: EventPlan
    /// The plan, ready to check lines.
    let compiled: CompiledPlan
    private let folder: PlanFolder

    /// The folder as messages name it.
    var name: String { folder.name }

    /// Reads a folder with container/ and events/, or one of an app, which has events/ only and is added to the SDK's own
    /// schemas.
    ///
    /// - Throws: `PlanError`: `noFolder`, `unreadable`, `notASchema`.
    init(folder path: String) throws {
        folder = try PlanFolder(path: path)
        let own = try EventPlan(folder)
        plan = own.hasContainer ? own : try EventPlan.standard.adding(folder)
        compiled = try CompiledPlan(plan)
    }

    /// The file of a schema; nil for the SDK's own.
    func place(of schema: PlanSchema) -> String? {
        folder.file(schema.path).map { folder.place(of: $0.path) }
    }
}
