/// Compiles the schemas reachable from one schema. A work list replaces recursion, so the depth of schemas is not
/// limited.
struct ProgramBuilder {
    typealias Location = ResourceIndex.Location

    var index: ResourceIndex
    let options: SchemaOptions
    var parts = ProgramParts()
    private var nodeByLocation: [Location: ProgramIndex] = [:]
    private var locations: [Location] = []
    private var constantDocuments: [Int: Int32] = [:]
    /// Keyed by bytes: Swift strings with different scalars can be equal.
    private var patternBySource: [[UInt8]: ProgramIndex] = [:]
    private var dialects: [Int: Dialect] = [:]
    private var anchorNumbers: [[UInt8]: ProgramIndex] = [:]
    /// The names of anchors by their numbers.
    private var anchorNames: [[UInt8]] = []
    /// The distinct resources that have a node.
    private var reached: [Int] = []
    private var isReached: Set<Int> = []

    init(_ index: ResourceIndex, _ options: SchemaOptions) {
        self.index = index
        self.options = options
    }

    mutating func build(_ uri: String) throws(SchemaError) -> Program {
        guard let root = try index.resolve(URIReference(uri)) else {
            throw SchemaError(
                code: .unresolvedReference, message: "the set has no schema with this URI: add it", location: uri)
        }
        _ = try node(at: root)
        var next = 0
        try fillAll(from: &next)
        try resolveDynamicAnchors(from: &next)
        try LoopCheck(parts).check()
        Streaming.mark(&parts)
        capture()
        return Program(parts)
    }

    /// Returns the number of the schema at a location, which is compiled now or later.
    mutating func node(at location: Location) throws(SchemaError) -> ProgramIndex {
        if let known = nodeByLocation[location] { return known }
        guard locations.count < options.maximumSchemas else {
            throw SchemaError(
                code: .tooLarge, message: "more than \(options.maximumSchemas) schemas: raise maximumSchemas",
                location: "")
        }
        let number = ProgramIndex(locations.count)
        nodeByLocation[location] = number
        locations.append(location)
        parts.nodes.append(SchemaNode())
        parts.locations.append("")
        return number
    }

    mutating func node(_ value: JSONDocument.Value, in schema: SchemaUnderWork) throws(SchemaError) -> ProgramIndex {
        try node(at: Location(document: schema.location.document, value: value.index))
    }

    private mutating func fillAll(from next: inout Int) throws(SchemaError) {
        while next < locations.count {
            try fill(next)
            next += 1
        }
    }

    private mutating func fill(_ number: Int) throws(SchemaError) {
        let location = locations[number]
        let value = index.value(location)
        let resource = index.resource(at: location) ?? 0
        parts.locations[number] = index.location(of: location)
        if isReached.insert(resource).inserted { reached.append(resource) }
        parts.nodes[number].resource = Int32(resource)
        parts.nodes[number].target = ProgramIndex(number)
        guard value.kind == .object || value.kind == .boolean else {
            throw SchemaUnderWork.issue(value, "a schema must be an object or a boolean", at: parts.locations[number])
        }
        if let boolean = value.boolean {
            parts.nodes[number].kind = boolean ? .everything : .nothing
            return
        }
        let schema = SchemaUnderWork(
            number: number, location: location, value: value, dialect: try dialect(of: resource),
            base: index.resources[resource].uri, pointer: parts.locations[number])
        let tables = Set(schema.keywords.compactMap(\.keyword.table))
        if tables.contains(.types) { try addTypes(schema) }
        if tables.contains(.values) { try addValues(schema) }
        if tables.contains(.numbers) { try addNumber(schema) }
        if tables.contains(.strings) { try addString(schema) }
        if tables.contains(.arrays) { try addArray(schema) }
        if tables.contains(.objects) || number == 0 { try addObject(schema) }
        if tables.contains(.logic) { try addLogic(schema) }
    }

    private mutating func dialect(of resource: Int) throws(SchemaError) -> Dialect {
        if let known = dialects[resource] { return known }
        var found: Dialect
        let described = index.resources[resource]
        if let uri = described.metaSchema {
            found = try dialect(ofMetaSchema: uri, for: described)
        } else if let parent = described.parent {
            found = try dialect(of: parent)
        } else {
            found = .standard
        }
        if options.assertsFormats { found.insert(.formatAssertion) }
        dialects[resource] = found
        return found
    }

    private mutating func dialect(
        ofMetaSchema uri: String, for resource: ResourceIndex.Resource
    ) throws(SchemaError) -> Dialect {
        let reference = URIReference(uri)
        guard reference.withoutFragment != Dialect.metaSchemaURI else { return .standard }
        guard let known = index.resource(reference) else {
            throw SchemaError(
                code: .unresolvedReference,
                message: "$schema is neither draft 2020-12 nor a meta-schema in the set",
                location: resource.uri.withoutFragment)
        }
        guard let vocabularies = index.value(index.resources[known].root)[.vocabulary] else { return .standard }
        var dialect: Dialect = []
        for member in vocabularies.members {
            if let vocabulary = Dialect.vocabulary(member.name) {
                dialect.formUnion(vocabulary)
            } else if member.value.boolean == true {
                throw SchemaError(
                    code: .unknownVocabulary, message: "the meta-schema requires the unknown vocabulary \(member.name)",
                    location: resource.uri.withoutFragment)
            }
        }
        return dialect
    }

    /// Stores node numbers consecutively.
    mutating func list(_ entries: [ProgramIndex]) -> ProgramRange {
        let range = ProgramRange(start: Int32(parts.lists.count), count: Int32(entries.count))
        parts.lists += entries
        return range
    }

    mutating func constant(_ value: JSONDocument.Value, in schema: SchemaUnderWork) -> ProgramIndex {
        let document: Int32
        if let known = constantDocuments[schema.location.document] {
            document = known
        } else {
            document = Int32(parts.documents.count)
            parts.documents.append(value.document)
            constantDocuments[schema.location.document] = document
        }
        let integer = value.kind == .number ? value.integer : nil
        parts.constants.append(
            SchemaConstant(
                document: document, value: Int32(value.index), integer: Int64(integer ?? 0), isInteger: integer != nil))
        return ProgramIndex(parts.constants.count - 1)
    }

    mutating func pattern(
        _ source: String, _ value: JSONDocument.Value, in schema: SchemaUnderWork
    ) throws(SchemaError) -> ProgramIndex {
        let bytes = Array(source.utf8)
        if let known = patternBySource[bytes] { return known }
        do throws(PatternSyntaxError) {
            parts.patterns.append(try Pattern(source))
        } catch {
            throw schema.issue(
                value, "invalid pattern at byte \(error.offset): \(error.reason)", code: .invalidPattern)
        }
        let number = ProgramIndex(parts.patterns.count - 1)
        patternBySource[bytes] = number
        return number
    }

    mutating func anchor(_ name: [UInt8]) -> ProgramIndex {
        if let known = anchorNumbers[name] { return known }
        let number = ProgramIndex(anchorNames.count)
        anchorNumbers[name] = number
        anchorNames.append(name)
        return number
    }

    /// Compiles the possible targets of dynamic references: the anchors with that name in all reachable resources,
    /// which may lead to more of both.
    private mutating func resolveDynamicAnchors(from next: inout Int) throws(SchemaError) {
        var done = (resources: 0, names: 0)
        while done.resources < reached.count || done.names < anchorNames.count {
            let known = (resources: reached.count, names: anchorNames.count)
            for (order, resource) in reached.enumerated() {
                for number in (order < done.resources ? done.names : 0)..<known.names {
                    guard let location = index.resources[resource].dynamicAnchors[anchorNames[number]] else { continue }
                    parts.dynamicAnchors.append(
                        DynamicAnchor(
                            resource: Int32(resource), anchor: ProgramIndex(number), node: try node(at: location)))
                }
            }
            done = known
            try fillAll(from: &next)
        }
    }

    private mutating func capture() {
        let root = parts.nodes[Int(parts.nodes[0].target)]
        guard root.object.exists else {
            parts.captureSlots = options.captures.map { _ in -1 }
            return
        }
        let names = parts.nameTables[Int(parts.objects[Int(root.object)].names)].table
        parts.captureSlots = options.captures.map { name in
            Array(name.utf8).withUnsafeBufferPointer { names.find($0) }
        }
    }
}
