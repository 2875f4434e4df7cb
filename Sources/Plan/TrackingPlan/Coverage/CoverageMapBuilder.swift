internal import JSONSchema

/// Finds the points of a schema, references followed; what refers to itself is followed once.
///
/// References multiply: there is an end to what is followed, and ``isComplete`` says whether it was reached.
struct CoverageMapBuilder {
    private(set) var points: [CoveragePoint] = []
    /// Whether everything was looked at.
    private(set) var isComplete = true
    private var positionByPoint: [CoveragePoint: Int] = [:]
    /// The schemas whose references are being followed.
    private var path: Set<Subschema> = []
    /// The references that were followed: a second time adds nothing.
    private var followed: Set<Followed> = []

    /// A schema that a reference led to, and the value that it was followed for.
    private struct Followed: Hashable {
        let target: Subschema
        let pointer: String
    }

    /// More than this, and a plan would need a page for each event.
    private static let maximumPoints = 10_000
    /// How many subschemas are looked at, each as often as a reference leads to it.
    private static let maximumSteps = 50_000
    private var steps = 0
    /// How many subschemas may stand in each other, references followed.
    private static let maximumDepth = 256
    private var depth = 0

    /// What the outermost value of a schema can show.
    mutating func node(of schema: Subschema, at pointer: String) -> CoverageNode {
        var node = CoverageNode()
        add(schema, to: &node, at: pointer)
        return node
    }

    private mutating func add(_ schema: Subschema, to node: inout CoverageNode, at pointer: String) {
        guard schema.value.kind == .object else { return }
        guard steps < Self.maximumSteps, depth < Self.maximumDepth, points.count < Self.maximumPoints else {
            isComplete = false
            return
        }
        steps += 1
        depth += 1
        defer { depth -= 1 }
        addValues(of: schema, to: &node, at: pointer)
        let parts = schema.children.map { (keyword: $0.keyword, schema: $0) }
        for part in parts where part.keyword == .properties {
            let name = part.schema.name ?? ""
            let position = pointer + JSONPointer([name]).description
            addProperty(part.schema, to: &node.members[name, default: CoverageNode()], at: position)
        }
        if !parts.isEmpty {
            for keyword in Self.keywordsOfParts {
                for part in parts where part.keyword == keyword { addOthers(part.schema, to: &node, at: pointer) }
            }
            for keyword in Self.keywordsOfBranches {
                for part in parts where part.keyword == keyword { add(part.schema, to: &node, at: pointer) }
            }
        }
        follow(schema, to: &node, at: pointer)
    }

    /// Schemas for elements, and for members that are not named; their points are listed in this order.
    private static let keywordsOfParts: [SchemaKeyword] = [
        .items, .additionalProperties, .unevaluatedProperties, .unevaluatedItems, .patternProperties, .prefixItems,
    ]

    /// Schemas for the same value, except what it must not be.
    private static let keywordsOfBranches = SchemaKeyword.allCases.filter {
        $0.role == .inPlace && $0.content != .reference && $0 != .not
    }

    private mutating func addProperty(_ schema: Subschema, to node: inout CoverageNode, at pointer: String) {
        // What the schema refuses can never be seen.
        guard schema.value.boolean != false else { return }
        node.point = position(of: CoveragePoint(pointer: pointer, value: nil)) ?? node.point
        add(schema, to: &node, at: pointer)
    }

    /// Elements and members without names; a schema that only lets them be asks for nothing that could be missing.
    private mutating func addOthers(_ schema: Subschema, to node: inout CoverageNode, at pointer: String) {
        guard schema.value.kind == .object else { return }
        var others = node.others ?? CoverageNode()
        addProperty(schema, to: &others, at: pointer + "/*")
        node.others = others
    }

    // MARK: Values

    private mutating func addValues(of schema: Subschema, to node: inout CoverageNode, at pointer: String) {
        var values = (schema[.enum]?.elements ?? []) + [schema[.const]].compactMap { $0 }
        if values.isEmpty, Self.isBoolean(schema.types) { values = Self.booleans }
        for value in values where node.keys.insert(ValueKey(value)).inserted {
            let text = String(decoding: value.source, as: UTF8.self)
            guard let position = position(of: CoveragePoint(pointer: pointer, value: text)) else { continue }
            node.values.append((value, position))
        }
    }

    /// Whether a type is a boolean, which may be null besides.
    private static func isBoolean(_ types: [String]) -> Bool {
        types.contains("boolean") && Set(types).isSubset(of: ["boolean", "null"])
    }

    private static let booleans: [JSONDocument.Value] =
        // The text is JSON.
        (try? JSONDocument("[false,true]".utf8))?.root.elements ?? []

    private mutating func position(of point: CoveragePoint) -> Int? {
        if let position = positionByPoint[point] { return position }
        guard points.count < Self.maximumPoints else {
            isComplete = false
            return nil
        }
        positionByPoint[point] = points.count
        points.append(point)
        return points.count - 1
    }

    // MARK: References

    private mutating func follow(_ schema: Subschema, to node: inout CoverageNode, at pointer: String) {
        for keyword in [SchemaKeyword.ref, .dynamicRef] {
            guard let target = schema.target(of: keyword), !path.contains(target),
                followed.insert(Followed(target: target, pointer: pointer)).inserted
            else { continue }
            path.insert(target)
            add(target, to: &node, at: pointer)
            path.remove(target)
        }
    }
}
