internal import JSONSchema
internal import TrackingPlan

extension CodeGenerator {
    /// Returns the issues of the purposes that a plan cannot have, each at the first event with this purpose.
    static func purposeIssues(
        _ events: [(type: EventType, schema: PlanSchema)], _ folder: PlanFolder
    ) -> [CodegenIssue] {
        let purposes = PlanPurposes(events.map(\.type.purpose))
        return (purposes.excess + purposes.swiftIssues).compactMap { issue in
            guard let schema = events.first(where: { $0.type.purpose == issue.purpose })?.schema else { return nil }
            let name = PlanAnnotation.purpose.rawValue
            let (line, column) = schema.document.position(ofOffset: schema.root[name]?.offset ?? 0)
            return CodegenIssue(
                file: folder.location(of: schema.path), line: line, column: column, pointer: "/\(name)",
                message: issue.message)
        }
    }
}
