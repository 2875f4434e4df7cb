internal import JSONSchema

extension EventPlan {
    /// The plan that the SDK comes with: its container and the five standard events. No file is read.
    public static let standard: EventPlan = {
        let folder = PlanFolder(
            files: StandardSchemas.files.map { PlanFile(path: $0.path, bytes: Array($0.text.utf8)) })
        // The files were read when the code was made, and a test reads them again: nothing is lost.
        return (try? EventPlan(folder)) ?? EventPlan([])
    }()

    /// This plan with the schemas of a folder: of an app, which has events and needs no container.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` for whatever is no schema, and for a version that this plan has with
    ///   other bytes: a published version never changes.
    public func adding(_ folder: PlanFolder) throws(PlanError) -> EventPlan {
        var all = containers + events
        var faults: [String] = []
        for schema in try Self.schemas(folder) {
            guard let known = all.first(where: { $0.path == schema.path }) else {
                all.append(schema)
                continue
            }
            if known.document.bytes != schema.document.bytes {
                faults.append(
                    "\(folder.place(of: schema.path)): \(schema.reference) is already in the plan with other bytes: give "
                        + "the event another name or version")
            }
        }
        guard faults.isEmpty else { throw PlanError(.notASchema, faults.joined(separator: "\n")) }
        return EventPlan(all)
    }
}
