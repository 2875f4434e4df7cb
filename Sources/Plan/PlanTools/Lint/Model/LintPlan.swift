internal import JSONSchema
internal import TrackingPlan

/// A folder of schemas, however wrong, as rules look at it.
struct LintPlan: Sendable {
    /// The files.
    let folder: PlanFolder
    /// The schemas that are JSON objects, in the order of their paths.
    let documents: [LintDocument]
    /// The schemas that are not JSON, and why.
    let unreadable: [(path: String, error: JSONTextError)]
    /// Where references lead to.
    let references: SchemaReferences
    /// What the subschemas say, references followed.
    let meanings: SchemaMeanings
    /// What says whether values satisfy the schemas.
    let judge: SchemaJudge

    init(_ folder: PlanFolder) {
        self.folder = folder
        var documents: [LintDocument] = []
        var unreadable: [(String, JSONTextError)] = []
        for file in folder.files where EventPlan.isSchema(file.path) {
            do throws(JSONTextError) {
                documents.append(LintDocument(try JSONDocument(file.bytes), path: file.path))
            } catch {
                unreadable.append((file.path, error))
            }
        }
        self.documents = documents
        self.unreadable = unreadable
        references = SchemaReferences(documents.flatMap(\.nodes))
        meanings = SchemaMeanings(documents, references)
        judge = SchemaJudge(documents)
    }
}
