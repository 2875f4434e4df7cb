internal import EventModel
internal import JSONSchema
internal import TrackingPlan

/// A schema file that is JSON.
struct LintDocument: Sendable {
    /// Its place within the folder.
    let path: String
    /// The name and version that its path says; nil if the path is not one of a schema.
    let identity: (name: String, version: SchemaVersion)?
    /// Its content.
    let document: JSONDocument
    /// Its subschemas; the first is the schema itself.
    let nodes: [SchemaNode]

    /// Whether it describes the line around every event.
    var isContainer: Bool { path.hasPrefix("container/") }

    init(_ document: JSONDocument, path: String) {
        self.path = path
        self.document = document
        identity = PlanSchema.identity(ofPath: path)
        nodes = SchemaNodes(of: document, path: path).nodes
    }
}
