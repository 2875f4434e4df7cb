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

    /// The outermost schema of a file.
    ///
    /// - Throws: ``PlanError`` with code `.notASchema` if it is not of this plan.
    func root(of schema: PlanSchema) throws(PlanError) -> Subschema {
        guard let root = tree.root(of: schema.path) else {
            throw PlanError(.notASchema, "\(folder.location(of: schema.path)): not a JSON object")
        }
        return root
    }

    /// Every schema of the file at a path.
    func schemas(of path: String) -> [Subschema] { schemas[path] ?? [] }

    /// The file that a part is in, as messages name it, and its line.
    func file(of part: some WrittenPart) -> (path: String, line: Int) {
        (folder.location(of: part.path), part.value.document.position(ofOffset: part.value.offset).line)
    }
}

/// The documents that a schema leads to, its own first, and the schemas in them.
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
