internal import EventModel
internal import JSONSchema
internal import TrackingPlan

/// A folder of schemas, however wrong, as rules look at it.
struct LintPlan: Sendable {
    /// The files.
    let folder: PlanFolder
    /// The schemas that are JSON, in the order of their paths.
    let documents: [LintDocument]
    /// The schemas that are not JSON, and why.
    let unreadable: [(path: String, error: JSONTextError)]
    /// Every subschema, in the order of the paths and of the text.
    let schemas: [Subschema]
    /// What the subschemas say, references followed.
    let meanings: SchemaMeanings
    /// What says whether values satisfy the schemas.
    let judge: SchemaJudge
    /// The day in UTC, `2026-11-25`; nil if no day has passed.
    let today: String?

    init(_ folder: PlanFolder, today: String? = nil) {
        (self.folder, self.today) = (folder, today)
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

/// A schema file that is JSON.
struct LintDocument: Sendable {
    /// Its place within the folder.
    let path: String
    /// The name and version that its path says; nil if the path is not one of a schema.
    let identity: (name: String, version: SchemaVersion)?
    /// Its content.
    let document: JSONDocument
    /// The outermost schema; nil if it is neither an object nor a boolean.
    let root: Subschema?

    /// Whether it describes the line around every event.
    var isContainer: Bool { Self.isContainer(path) }

    /// Whether the schema at a path describes the line around every event.
    static func isContainer(_ path: String) -> Bool { path.hasPrefix("\(PlanSchema.containerName)/") }

    init(_ document: JSONDocument, path: String, root: Subschema?) {
        self.path = path
        self.document = document
        self.root = root
        identity = PlanSchema.identity(ofPath: path)
    }
}
