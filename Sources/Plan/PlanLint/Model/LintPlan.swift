internal import EventModel
internal import JSONSchema
internal import TrackingPlan

/// A folder of schemas as the rules read it, even if its schemas are invalid.
struct LintPlan: Sendable {
    /// The files.
    let folder: PlanFolder
    /// The schemas that are valid JSON, ordered by path.
    let documents: [LintDocument]
    /// The schemas that are not valid JSON, each with the error.
    let unreadable: [(path: String, error: JSONTextError)]
    /// Every subschema, ordered by path and by offset.
    let schemas: [Subschema]
    /// The meanings of the subschemas, with references resolved.
    let meanings: SchemaMeanings
    /// Validates values against the schemas.
    let judge: SchemaJudge
    /// The current day in UTC, `2026-11-25`; nil to treat no day as past.
    let today: String?

    init(_ folder: PlanFolder, today: String? = nil) {
        self.folder = folder
        self.today = today
        var read: [(path: String, document: JSONDocument)] = []
        var unreadable: [(String, JSONTextError)] = []
        for file in folder.files where EventPlan.isSchema(file.path) {
            do throws(JSONTextError) {
                read.append((file.path, try JSONDocument(file.bytes)))
            } catch {
                unreadable.append((file.path, error))
            }
        }
        self.unreadable = unreadable
        let tree = SchemaTree(read)
        schemas = tree.schemas
        documents = read.map { LintDocument($0.document, path: $0.path, root: tree.root(of: $0.path)) }
        meanings = SchemaMeanings(documents, schemas)
        judge = SchemaJudge(documents)
    }
}

/// A schema file that is valid JSON.
struct LintDocument: Sendable {
    /// The path within the folder.
    let path: String
    /// The name and version in its path; nil if the path is not a schema's path.
    let identity: (name: String, version: SchemaVersion)?
    /// Its content.
    let document: JSONDocument
    /// The root schema; nil if it is neither an object nor a boolean.
    let root: Subschema?

    /// Whether this is the schema of the envelope (the `container`).
    var isContainer: Bool { Self.isContainer(path) }

    /// Returns whether a path is a schema of the envelope (the `container`).
    static func isContainer(_ path: String) -> Bool { path.hasPrefix("\(PlanSchema.containerName)/") }

    init(_ document: JSONDocument, path: String, root: Subschema?) {
        self.path = path
        self.document = document
        self.root = root
        identity = PlanSchema.identity(ofPath: path)
    }
}
