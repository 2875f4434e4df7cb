internal import JSONSchema

/// Finds the coverage points of a schema, with references resolved. Recursive references are followed once.
///
/// References multiply, so the work is limited; ``isComplete`` reports whether a limit was reached.
struct CoverageMapBuilder {
    private(set) var points: [CoveragePoint] = []
    /// Whether the whole schema was visited.
    private(set) var isComplete = true
    private var positionByPoint: [CoveragePoint: Int] = [:]
    /// The schemas whose references are being followed.
    private var path: Set<Subschema> = []
    /// The followed references: following them again adds nothing.
    private var followed: Set<Followed> = []

    /// The target of a reference, and the value for which it was followed.
    private struct Followed: Hashable {
        let target: Subschema
        let pointer: String
    }

    /// The limit of points; more would fill a page per event.
    private static let maximumPoints = 10_000
    /// The limit of visited subschemas, counted once for each reference to them.
    private static let maximumSteps = 50_000
    private var steps = 0
    /// The limit of nesting, with references resolved.
    private static let maximumDepth = 256
    private var depth = 0

    /// Returns the points of a schema's root value.
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

    /// Keywords for elements and unnamed members, in the order of their points.
    private static let keywordsOfParts: [SchemaKeyword] = [
        .items, .additionalProperties, .unevaluatedProperties, .unevaluatedItems, .patternProperties, .prefixItems,
    ]

    /// Keywords for the same value, except `not`.
    private static let keywordsOfBranches = SchemaKeyword.allCases.filter {
        $0.role == .inPlace && $0.content != .reference && $0 != .not
    }

    private mutating func addProperty(_ schema: Subschema, to node: inout CoverageNode, at pointer: String) {
        // A rejected value never occurs.
        guard schema.value.boolean != false else { return }
        node.point = position(of: CoveragePoint(pointer: pointer, value: nil)) ?? node.point
        add(schema, to: &node, at: pointer)
    }

    /// Adds elements and unnamed members. A schema that accepts anything adds no points.
    private mutating func addOthers(_ schema: Subschema, to node: inout CoverageNode, at pointer: String) {
        guard schema.value.kind == .object else { return }
        var others = node.others ?? CoverageNode()
        addProperty(schema, to: &others, at: pointer + "/*")
        node.others = others
    }

    private mutating func addValues(of schema: Subschema, to node: inout CoverageNode, at pointer: String) {
        var values = (schema[.enum]?.elements ?? []) + [schema[.const]].compactMap { $0 }
        if values.isEmpty, Self.isBoolean(schema.types) { values = Self.booleans }
        for value in values where node.keys.insert(ValueKey(value)).inserted {
            let text = String(decoding: value.source, as: UTF8.self)
            guard let position = position(of: CoveragePoint(pointer: pointer, value: text)) else { continue }
            node.values.append((value, position))
        }
    }

    /// Returns whether a type is a boolean, optionally with null.
    private static func isBoolean(_ types: [String]) -> Bool {
        types.contains("boolean") && Set(types).isSubset(of: ["boolean", "null"])
    }

    private static let booleans: [JSONDocument.Value] =
        // The text is valid JSON.
        JSONDocument(validating: "[false,true]".utf8)?.root.elements ?? []

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
