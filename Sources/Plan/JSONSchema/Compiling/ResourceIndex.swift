/// The locations of all schemas in a set, with their base URIs.
struct ResourceIndex: Sendable {
    struct Location: Hashable, Sendable {
        let document: Int
        let value: Int
    }

    /// A schema with its own URI.
    struct Resource: Sendable {
        let uri: URIReference
        let root: Location
        /// The URI of the meta-schema, if the resource names one.
        let metaSchema: String?
        /// The enclosing resource, if any.
        let parent: Int?
        /// The anchors, by the bytes of their names.
        var anchors: [[UInt8]: Location] = [:]
        var dynamicAnchors: [[UInt8]: Location] = [:]
    }

    private(set) var documents: [JSONDocument] = []
    private(set) var resources: [Resource] = []
    /// The resources, by the bytes of the URI without its fragment.
    private var resourceByURI: [[UInt8]: Int] = [:]
    private var schemas: [Location: Schema] = [:]
    private var targets = PointerTargets()
    private var holdsMetaSchema = false
    /// Whether errors in schemas are ignored: of two schemas with one URI, the first one counts outside of their
    /// documents.
    private let isTolerant: Bool
    /// The resources with duplicate URIs.
    private var repeated: [[UInt8]: [Int]] = [:]

    init(isTolerant: Bool = false) { self.isTolerant = isTolerant }

    private struct Schema {
        let resource: Int
        let way: Way
    }

    /// How a schema was found.
    private enum Way {
        /// It is the root of a document.
        case root
        /// It is inside another schema of the same document.
        case below(Int, Subschemas.Step)
        /// By a pointer from the root of its resource; no keyword leads there.
        case pointer(String)
    }

    mutating func add(_ document: JSONDocument, at uri: String) throws(SchemaError) {
        documents.append(document)
        let location = Location(document: documents.count - 1, value: 0)
        let base = URIReference(uri)
        try walk(location, by: .root, base: base, resource: nil)
        // Also known by the URI under which it was added.
        let key = Self.key(base)
        let resource = resource(at: location)
        if let known = self.resource(base), known != resource {
            guard isTolerant else { throw Self.duplicate(base) }
        } else {
            resourceByURI[key] = resource
        }
    }

    /// Adds the meta-schema on the first lookup of a URI, since most schemas only name it, and the first URI may be one
    /// of its own.
    private mutating func addMetaSchema() {
        holdsMetaSchema = true
        for (uri, document) in MetaSchema.documents { try? add(document, at: uri) }  // tested: never throws
    }

    func value(_ location: Location) -> JSONDocument.Value {
        JSONDocument.Value(document: documents[location.document], index: location.value)
    }

    func resource(at location: Location) -> Int? { schemas[location]?.resource }

    /// Returns the resource of a URI, ignoring the fragment.
    mutating func resource(_ uri: URIReference) -> Int? {
        let key = Self.key(uri)
        if !holdsMetaSchema, key.starts(with: MetaSchema.prefix.utf8) { addMetaSchema() }
        return resourceByURI[key]
    }

    private static func key(_ uri: URIReference) -> [UInt8] { Array(uri.withoutFragment.utf8) }

    /// Returns the URI of a schema's resource, with a JSON pointer as fragment.
    func location(of location: Location) -> String {
        guard let resource = resource(at: location) else { return "" }
        var steps: [String] = []
        var at = location
        walk: while at != resources[resource].root, let schema = schemas[at] {
            switch schema.way {
            case .root: break walk
            case .pointer(let pointer):
                steps.append(pointer)
                break walk
            case .below(let parent, let step):
                steps.append(step.pointer(in: documents[location.document]))
                at = Location(document: location.document, value: parent)
            }
        }
        return resources[resource].uri.withoutFragment + "#"
            + URIReference.encodedFragment(steps.reversed().joined())
    }

    /// Registers a schema and all schemas in it. Uses a list instead of recursion, since documents may be deep.
    private mutating func walk(
        _ location: Location, by way: Way, base: URIReference, resource: Int?
    ) throws(SchemaError) {
        var waiting: [(location: Location, way: Way, base: URIReference, resource: Int?)] = [
            (location, way, base, resource)
        ]
        while let (location, way, base, outer) = waiting.popLast() {
            guard schemas[location] == nil else { continue }
            let schema = value(location)
            let resource = try note(schema, at: location, by: way, base: base, outer: outer)
            let inner = resources[resource].uri
            let count = waiting.count
            Subschemas.forEach(in: schema) { child, step in
                let location = Location(document: location.document, value: child.index)
                waiting.append((location, .below(schema.index, step), inner, resource))
            }
            // In the order of the text, where it decides which of two schemas gets a name.
            if isTolerant { waiting[count...].reverse() }
        }
    }

    private mutating func note(
        _ schema: JSONDocument.Value, at location: Location, by way: Way, base: URIReference, outer: Int?
    ) throws(SchemaError) -> Int {
        let id = schema[.id].flatMap { isTolerant && $0.string == nil ? nil : $0 }
        let resource: Int
        if let outer, id == nil {
            resource = outer
        } else {
            var uri = base
            if let id {
                guard let text = id.string else { throw issue(at: id, base: base, message: "$id must be a string") }
                uri = URIReference(text).resolved(against: base)
                guard uri.fragment?.isEmpty ?? true || isTolerant else {
                    throw issue(at: id, base: base, message: "$id must not have a fragment")
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
                    uri: uri, root: location, metaSchema: schema[.schema]?.string, parent: outer))
        }
        schemas[location] = Schema(resource: resource, way: way)
        try noteAnchors(schema, at: location, resource)
        return resource
    }

    private mutating func noteAnchors(
        _ schema: JSONDocument.Value, at location: Location, _ resource: Int
    ) throws(SchemaError) {
        for keyword in [SchemaKeyword.anchor, .dynamicAnchor] {
            guard let value = schema[keyword] else { continue }
            let base = resources[resource].uri
            guard let name = value.string, Self.isAnchor(name) || isTolerant else {
                if isTolerant { continue }
                throw issue(
                    at: value, base: base,
                    message:
                        "\(keyword.rawValue) must be a name of letters, digits, - _ and ., not starting with a digit")
            }
            let key = Array(name.utf8)
            if let known = resources[resource].anchors[key], known != location {
                if isTolerant { continue }
                throw SchemaError(
                    code: .duplicateIdentifier, message: "duplicate anchor: rename one of them",
                    location: "\(base.withoutFragment)#\(name)")
            }
            resources[resource].anchors[key] = location
            if keyword == .dynamicAnchor { resources[resource].dynamicAnchors[key] = location }
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
            code: .duplicateIdentifier, message: "duplicate URI: give one of the schemas another $id",
            location: uri.withoutFragment)
    }

    private func issue(at value: JSONDocument.Value, base: URIReference, message: String) -> SchemaError {
        let (line, column) = value.document.position(ofOffset: value.offset)
        return SchemaError(
            code: .invalidKeyword, message: "line \(line), column \(column): \(message)", location: base.withoutFragment
        )
    }

    /// Returns the target of a URI; nil if there is none. A location that no keyword reaches becomes a schema by being
    /// referenced.
    ///
    /// - Parameter document: The document of the reference. Its own schemas take precedence if several have the URI.
    mutating func resolve(_ uri: URIReference, from document: Int? = nil) throws(SchemaError) -> Location? {
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
        let location = Location(document: root.document, value: target.index)
        if schemas[location] == nil {
            guard target.kind == .object || target.kind == .boolean else { return nil }
            try walk(
                location, by: .pointer(pointer.description), base: resources[resource].uri, resource: resource)
        }
        return location
    }
}
