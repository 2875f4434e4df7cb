internal import JSONSchema
internal import TrackingPlan

/// Lists the properties of schemas, with references resolved.
struct PropertyTable {
    /// The properties of one schema.
    struct Rows {
        /// The rows; each parent precedes its members.
        fileprivate(set) var rows: [PropertyRow] = []
        /// Whether the list is truncated.
        fileprivate(set) var isCut = false
        /// Why the list is truncated; nil if it is complete.
        var reason: String? {
            isCut
                ? "Only \(rows.count) properties are listed, and the history covers only these: references "
                    + "expand to more than a page can show."
                : nil
        }

        /// The number of visited subschemas.
        fileprivate var steps = 0
    }

    private let tree: SchemaTree

    /// The limit of rows, since references multiply properties.
    private static let maximumRows = 1000
    private static let maximumDepth = 32
    private static let maximumSteps = 20_000

    init(_ schemas: [PlanSchema]) { tree = SchemaTree(schemas.map { ($0.path, $0.document) }) }

    /// Returns the properties of the schema at a path.
    func rows(of path: String) -> Rows {
        var rows = Rows()
        guard let root = tree.root(of: path) else { return rows }
        append(Description(root), "", to: &rows, above: [], depth: 0)
        return rows
    }

    /// Appends the children of a value: the members of an object, the elements of an array.
    private func append(
        _ value: Description, _ path: String, to rows: inout Rows, above: Set<Subschema>, depth: Int
    ) {
        // A recursive schema is listed once.
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
