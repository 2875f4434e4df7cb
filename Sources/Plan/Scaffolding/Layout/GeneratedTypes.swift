internal import PlanCodegen
internal import TrackingPlan

/// The types that the build generates from a target's schemas. No source file contains them.
struct GeneratedTypes {
    /// The schemas, by type name.
    private let locations: [String: String]

    /// Reads a folder of schemas, which may not exist yet.
    init(schemas: String) {
        // An invalid plan generates no types: the build reports its errors.
        guard let folder = try? PlanFolder(path: schemas), let plan = try? EventPlan(folder) else {
            locations = [:]
            return
        }
        // Only the reason is lost: the build reports it.
        let code = try? CodeGenerator(folder, access: .internal)
        let types = plan.newest.compactMap { schema -> (String, String)? in
            // For an invalid schema, derive the type from the event's name.
            guard let type = code?.typeName(ofEvent: schema.name) ?? SwiftName.type(schema.name) else { return nil }
            return (type, folder.location(of: schema.path))
        }
        locations = Dictionary(types) { first, _ in first }
    }

    /// Returns the schema of a generated type; nil if there is none.
    func location(of type: String) -> String? { locations[type] }
}
