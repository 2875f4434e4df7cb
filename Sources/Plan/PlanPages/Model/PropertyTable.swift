internal import JSONSchema
internal import TrackingPlan

/// Lists the properties of schemas, references followed.
struct PropertyTable {
    /// The properties of one schema.
    struct Rows {
        /// Each before those within it.
        fileprivate(set) var rows: [PropertyRow] = []
        /// Whether there are more than are listed.
        fileprivate(set) var isCut = false
        /// Why there are more than are listed; nil if all are.
        var reason: String? {
            isCut
                ? "Only \(rows.count) properties are listed, and of the history what became of these: references "
                    + "multiply the others past what a page can show."
                : nil
        }

        /// How many subschemas were looked at.
        fileprivate var steps = 0
    }

    private let tree: SchemaTree

    /// References multiply properties: a page past this is read by nobody.
    private static let maximumRows = 1000
    private static let maximumDepth = 32
    private static let maximumSteps = 20_000

    init(_ schemas: [PlanSchema]) { tree = SchemaTree(schemas.map { ($0.path, $0.document) }) }

    /// The properties of the schema at a path.
    func rows(of path: String) -> Rows {
        var rows = Rows()
        guard let root = tree.root(of: path) else { return rows }
        append(Description(root), "", to: &rows, above: [], depth: 0)
        return rows
    }

    /// Lists what stands in a value: the members of an object, the elements of an array.
    private func append(
        _ value: Description, _ path: String, to rows: inout Rows, above: Set<Subschema>, depth: Int
    ) {
        // A schema that holds itself is listed once.
        let locations = value.locations
        guard above.isDisjoint(with: locations) else { return }
        let above = above.union(locations)
        let prefix = path.isEmpty ? "" : path + "."
        let parent = path.isEmpty ? nil : path

        func add(_ starts: [DescriptionPart], _ path: String, isRequired: Bool? = nil, isAlways: Bool = true) {
            guard rows.rows.count < Self.maximumRows, depth < Self.maximumDepth, rows.steps < Self.maximumSteps else {
                rows.isCut = true
                return
            }
            let inner = Description(starts)
            rows.steps += inner.size
            let row = inner.row(path, in: parent, isRequired: isRequired)
            if isAlways || row.saysMoreThanType { rows.rows.append(row) }
            append(inner, path, to: &rows, above: above, depth: depth + 1)
        }

        for property in value.properties where !rows.isCut {
            add(property.starts, prefix + property.name, isRequired: property.isRequired)
        }
        for other in value.others where !rows.isCut {
            add(other.starts, prefix + (other.pattern.map { "/\($0)/" } ?? "*"))
        }
        for (index, element) in value.tuple.enumerated() where !rows.isCut { add(element, "\(path)[\(index)]") }
        if let element = value.element, !rows.isCut { add(element, "\(path)[]", isAlways: false) }
    }
}
