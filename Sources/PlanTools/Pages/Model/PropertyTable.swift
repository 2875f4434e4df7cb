internal import JSONSchema

/// Lists the properties of schemas, references followed.
struct PropertyTable {
    private let roots: [String: SchemaNode]
    private let references: SchemaReferences

    init(_ documents: [LintDocument]) {
        let roots = documents.compactMap { document in document.nodes.first.map { (document.path, $0) } }
        self.roots = Dictionary(roots, uniquingKeysWith: { first, _ in first })
        references = SchemaReferences(documents.flatMap(\.nodes))
    }

    /// The properties of the schema at a path, each before those within it.
    func rows(of path: String) -> [PropertyRow] {
        guard let root = roots[path] else { return [] }
        var rows: [PropertyRow] = []
        append(Description(root, references), "", to: &rows, above: [])
        return rows
    }

    private func append(
        _ object: Description, _ prefix: String, to rows: inout [PropertyRow], above: Set<SchemaReferences.Place>
    ) {
        // A schema that holds itself is listed once.
        guard above.isDisjoint(with: object.places) else { return }
        let above = above.union(object.places)
        var listed: Set<String> = []
        for property in object.properties where listed.insert(property.name).inserted {
            let description = Description(property.node, references)
            rows.append(description.row(prefix + property.name, isRequired: property.isRequired))
            append(description, prefix + property.name + ".", to: &rows, above: above)
            guard let element = description.element else { continue }
            let path = prefix + property.name + "[]"
            let inner = Description(element, references)
            if inner.saysMoreThanType { rows.append(inner.row(path, isRequired: nil)) }
            append(inner, path + ".", to: &rows, above: above)
        }
    }
}
