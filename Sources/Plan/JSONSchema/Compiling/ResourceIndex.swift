/// Where every schema of a set stands, and which base URI holds there.
struct ResourceIndex: Sendable {
    /// A place in a document.
    struct Place: Hashable, Sendable {
        let document: Int
        let value: Int
    }

    /// A schema with a URI of its own.
    struct Resource: Sendable {
        let uri: URIReference
        let root: Place
        /// The URI of the meta-schema, if the resource names one.
        let metaSchema: String?
        /// The resource it stands in, if any.
        let parent: Int?
        /// By the bytes of their names.
        var anchors: [[UInt8]: Place] = [:]
        var dynamicAnchors: [[UInt8]: Place] = [:]
    }

    private(set) var documents: [JSONDocument] = []
    private(set) var resources: [Resource] = []
    /// By the bytes of the URI without its fragment.
    private var resourceByURI: [[UInt8]: Int] = [:]
    private var schemas: [Place: Schema] = [:]
    private var targets = PointerTargets()
    private var holdsMetaSchema = false
    /// Whether what is wrong with a schema is passed over: the first one of two with a URI has it, outside their documents.
    private let isTolerant: Bool
    /// The resources whose URI another one has, too.
    private var repeated: [[UInt8]: [Int]] = [:]

    init(isTolerant: Bool = false) { self.isTolerant = isTolerant }

    /// What is known of a schema: its resource, and the way to it.
    private struct Schema {
        let resource: Int
        let way: Way
    }

    /// How a schema was found.
    private enum Way {
        /// It is the outermost one of a document.
        case root
        /// Below another one of the same document.
        case below(Int, Subschemas.Step)
        /// By this pointer from the root of its resource: no keyword leads there.
        case pointer(String)
    }

    mutating func add(_ document: JSONDocument, at uri: String) throws(SchemaError) {
        documents.append(document)
        let place = Place(document: documents.count - 1, value: 0)
        let base = URIReference(uri)
        try walk(place, by: .root, base: base, resource: nil)
        // Known by where it was found, too.
        let key = Self.key(base)
        let resource = resource(at: place)
        if let known = self.resource(base), known != resource {
            guard isTolerant else { throw Self.duplicate(base) }
        } else {
            resourceByURI[key] = resource
        }
    }

    /// Adds the meta-schema. Most schemas only name it, so it comes with the first URI that is looked for and may be one of
    /// its own.
    private mutating func addMetaSchema() {
        holdsMetaSchema = true
        for (uri, document) in MetaSchema.documents { try? add(document, at: uri) }  // tested: none is refused
    }

    func value(_ place: Place) -> JSONDocument.Value {
        JSONDocument.Value(document: documents[place.document], index: place.value)
    }

    func resource(at place: Place) -> Int? { schemas[place]?.resource }

    /// The resource of a URI without its fragment.
    mutating func resource(_ uri: URIReference) -> Int? {
        let key = Self.key(uri)
        if !holdsMetaSchema, key.starts(with: MetaSchema.prefix.utf8) { addMetaSchema() }
        return resourceByURI[key]
    }

    private static func key(_ uri: URIReference) -> [UInt8] { Array(uri.withoutFragment.utf8) }

    /// Where a schema stands: its resource's URI, with a JSON pointer as fragment.
    func location(of place: Place) -> String {
        guard let resource = resource(at: place) else { return "" }
        var steps: [String] = []
        var at = place
        walk: while at != resources[resource].root, let schema = schemas[at] {
            switch schema.way {
            case .root: break walk
            case .pointer(let pointer):
                steps.append(pointer)
                break walk
            case .below(let parent, let step):
                steps.append(step.pointer(in: documents[place.document]))
                at = Place(document: place.document, value: parent)
            }
        }
        return resources[resource].uri.withoutFragment + "#"
            + URIReference.encodedFragment(steps.reversed().joined())
    }

    // MARK: Walking through a document

    /// Notes a schema and all schemas in it. A list, not recursion: documents may be deep.
    private mutating func walk(
        _ place: Place, by way: Way, base: URIReference, resource: Int?
    ) throws(SchemaError) {
        var waiting: [(place: Place, way: Way, base: URIReference, resource: Int?)] = [(place, way, base, resource)]
        while let (place, way, base, outer) = waiting.popLast() {
            guard schemas[place] == nil else { continue }
            let schema = value(place)
            let resource = try note(schema, at: place, by: way, base: base, outer: outer)
            let inner = resources[resource].uri
            let count = waiting.count
            Subschemas.forEach(in: schema) { child, step in
                let place = Place(document: place.document, value: child.index)
                waiting.append((place, .below(schema.index, step), inner, resource))
            }
            // In the order of the text, where that says which of two has a name.
            if isTolerant { waiting[count...].reverse() }
        }
    }

    private mutating func note(
        _ schema: JSONDocument.Value, at place: Place, by way: Way, base: URIReference, outer: Int?
    ) throws(SchemaError) -> Int {
        let id = schema[.id].flatMap { isTolerant && $0.string == nil ? nil : $0 }
        let resource: Int
        if let outer, id == nil {
            resource = outer
        } else {
            var uri = base
            if let id {
                guard let text = id.string else { throw fault(id, base, "$id must be a string") }
                uri = URIReference(text).resolved(against: base)
                guard uri.fragment?.isEmpty ?? true || isTolerant else {
                    throw fault(id, base, "$id must not have a fragment")
                }
            }
            let isKnown = self.resource(uri) != nil
            guard !isKnown || isTolerant else { throw Self.duplicate(uri) }
            resource = resources.count
            if isKnown {
                repeated[Self.key(uri), default: []].append(resource)
            } else {
                resourceByURI[Self.key(uri)] = resource
            }
            resources.append(
                Resource(
                    uri: uri, root: place, metaSchema: schema[.schema]?.string, parent: outer))
        }
        schemas[place] = Schema(resource: resource, way: way)
        try noteAnchors(schema, at: place, resource)
        return resource
    }

    private mutating func noteAnchors(
        _ schema: JSONDocument.Value, at place: Place, _ resource: Int
    ) throws(SchemaError) {
        for keyword in [SchemaKeyword.anchor, .dynamicAnchor] {
            guard let value = schema[keyword] else { continue }
            let base = resources[resource].uri
            guard let name = value.string, Self.isAnchor(name) || isTolerant else {
                if isTolerant { continue }
                throw fault(
                    value, base,
                    "\(keyword.rawValue) must be a name of letters, digits, - _ and ., not starting with a digit")
            }
            let key = Array(name.utf8)
            if let known = resources[resource].anchors[key], known != place {
                if isTolerant { continue }
                throw SchemaError(
                    code: .duplicateIdentifier, message: "two schemas have this anchor: rename one",
                    location: "\(base.withoutFragment)#\(name)")
            }
            resources[resource].anchors[key] = place
            if keyword == .dynamicAnchor { resources[resource].dynamicAnchors[key] = place }
        }
    }

    private static func isAnchor(_ name: String) -> Bool {
        guard let first = name.utf8.first, first == UInt8(ascii: "_") || ASCII.isLetter(first) else { return false }
        return name.utf8.allSatisfy {
            ASCII.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
        }
    }

    private static func duplicate(_ uri: URIReference) -> SchemaError {
        SchemaError(
            code: .duplicateIdentifier, message: "two schemas have this URI: give one another $id",
            location: uri.withoutFragment)
    }

    private func fault(_ value: JSONDocument.Value, _ base: URIReference, _ message: String) -> SchemaError {
        let (line, column) = value.document.position(ofOffset: value.offset)
        return SchemaError(
            code: .invalidKeyword, message: "line \(line), column \(column): \(message)", location: base.withoutFragment
        )
    }

    // MARK: References

    /// Where a URI leads; nil if nowhere. A place that no keyword reaches becomes a schema by being referred to.
    ///
    /// - Parameter document: The document of the reference, whose own schemas come first if several have the URI.
    mutating func resolve(_ uri: URIReference, from document: Int? = nil) throws(SchemaError) -> Place? {
        guard let first = resource(uri) else { return nil }
        let others = repeated.isEmpty ? [] : repeated[Self.key(uri)] ?? []
        let resource = ([first] + others).first { resources[$0].root.document == document } ?? first
        let root = resources[resource].root
        guard let written = uri.fragment, !written.isEmpty else { return root }
        guard let fragment = uri.decodedFragment else { return nil }
        guard fragment.utf8.first == UInt8(ascii: "/") else { return resources[resource].anchors[Array(fragment.utf8)] }
        guard let pointer = JSONPointer(fragment), let target = targets.find(pointer, from: root, value(root)) else {
            return nil
        }
        let place = Place(document: root.document, value: target.index)
        if schemas[place] == nil {
            guard target.kind == .object || target.kind == .boolean else { return nil }
            try walk(
                place, by: .pointer(pointer.description), base: resources[resource].uri, resource: resource)
        }
        return place
    }
}
