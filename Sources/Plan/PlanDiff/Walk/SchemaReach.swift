internal import JSONSchema
internal import TrackingPlan

/// The schemas of one plan, and the names of their files.
struct SchemaLibrary {
    private let tree: SchemaTree
    private let folder: PlanFolder
    private let schemas: [String: [Subschema]]

    /// - Parameter folder: Names the files.
    init(_ schemas: [PlanSchema], in folder: PlanFolder) {
        tree = SchemaTree(schemas.map { ($0.path, $0.document) })
        self.folder = folder
        self.schemas = Dictionary(grouping: tree.schemas, by: \.path)
    }

    /// Returns the root schema of a file.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` if it is not in this plan.
    func root(of schema: PlanSchema) throws(PlanError) -> Subschema {
        guard let root = tree.root(of: schema.path) else {
            throw PlanError(.notASchema, "\(folder.location(of: schema.path)): not a JSON object")
        }
        return root
    }

    /// Returns every schema in the file at a path.
    func schemas(of path: String) -> [Subschema] { schemas[path] ?? [] }

    /// Returns the file of a part, as messages name it, and the line.
    func file(of part: some WrittenPart) -> (path: String, line: Int) {
        (folder.location(of: part.path), part.value.document.position(ofOffset: part.value.offset).line)
    }
}

/// The documents that a schema references, starting with its own, and their schemas.
struct SchemaReach {
    private(set) var documents: [JSONDocument] = []
    private(set) var schemas: [Subschema] = []

    init(from root: Subschema, in library: SchemaLibrary) {
        var seen: Set<String> = []
        var paths = [root.path][...]
        while let path = paths.popFirst() {
            guard seen.insert(path).inserted else { continue }
            let found = library.schemas(of: path)
            documents += found.prefix(1).map(\.value.document)
            schemas += found
            for schema in found {
                paths += [SchemaKeyword.ref, .dynamicRef].compactMap { schema.target(of: $0)?.path }
            }
        }
    }
}
