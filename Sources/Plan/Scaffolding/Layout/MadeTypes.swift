internal import PlanCodegen
internal import TrackingPlan

/// The types that the build makes of the schemas of a target. They stand in no file of its sources.
struct MadeTypes {
    /// The schemas that they are made of, by name.
    private let locations: [String: String]

    /// Reads a folder of schemas, which may not be there yet.
    init(schemas: String) {
        // A plan that is at fault makes no types: the build says what is wrong.
        guard let folder = try? PlanFolder(path: schemas), let plan = try? EventPlan(folder) else {
            locations = [:]
            return
        }
        let code = try? CodeGenerator(folder, access: .internal)
        let types = plan.newest.compactMap { schema -> (String, String)? in
            // Where a schema is at fault, the name of its event says what it will be called.
            guard let type = code?.typeName(ofEvent: schema.name) ?? SwiftName.type(schema.name) else { return nil }
            return (type, folder.location(of: schema.path))
        }
        locations = Dictionary(types) { first, _ in first }
    }

    /// The schema of which a type is made; nil if there is none.
    func location(of type: String) -> String? { locations[type] }
}
