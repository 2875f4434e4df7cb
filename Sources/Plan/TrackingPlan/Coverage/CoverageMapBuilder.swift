internal import JSONSchema

/// Finds the points of a schema, references followed; what refers to itself is followed once.
///
/// References multiply: there is an end to what is followed, and ``isComplete`` says whether it was reached.
struct CoverageMapBuilder {
    private(set) var points: [CoveragePoint] = []
    /// Whether everything was looked at.
    private(set) var isComplete = true
    private var placeByPoint: [CoveragePoint: Int] = [:]
    private let documents: [String: JSONDocument.Value]
    /// The references that are being followed.
    private var path: Set<String> = []
    /// The references that were followed, each with the value they were followed for: a second time adds nothing.
    private var followed: Set<String> = []

    /// More than this, and a plan would need a page for each event.
    private static let maximumPoints = 10_000
    /// How many subschemas are looked at, each as often as a reference leads to it.
    private static let maximumSteps = 50_000
    private var steps = 0
    /// How many subschemas may stand in each other, references followed.
    private static let maximumDepth = 256
    private var depth = 0

    init(_ plan: EventPlan) {
        let all = (plan.containers + plan.events).compactMap { schema in
            schema.root[.id]?.string.map { ($0, schema.root) }
        }
        documents = Dictionary(all, uniquingKeysWith: { first, _ in first })
    }

    /// What the outermost value of a schema can show.
    mutating func node(of schema: JSONDocument.Value, at pointer: String) -> CoverageNode {
        var node = CoverageNode()
        add(schema, to: &node, at: pointer)
        return node
    }

    private mutating func add(_ schema: JSONDocument.Value, to node: inout CoverageNode, at pointer: String) {
        guard schema.kind == .object else { return }
        guard steps < Self.maximumSteps, depth < Self.maximumDepth, points.count < Self.maximumPoints else {
            isComplete = false
            return
        }
        steps += 1
        depth += 1
        defer { depth -= 1 }
        addValues(of: schema, to: &node, at: pointer)
        for member in schema[.properties]?.members ?? [] {
            let place = pointer + JSONPointer([member.name]).description
            addProperty(member.value, to: &node.members[member.name, default: CoverageNode()], at: place)
        }
        for keyword in Self.keywordsOfParts {
            for part in schema.schemas(under: keyword) { addOthers(part, to: &node, at: pointer) }
        }
        for keyword in Self.keywordsOfBranches {
            for branch in schema.schemas(under: keyword) { add(branch, to: &node, at: pointer) }
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

    private mutating func addProperty(_ schema: JSONDocument.Value, to node: inout CoverageNode, at pointer: String) {
        // What the schema refuses can never be seen.
        guard schema.boolean != false else { return }
        node.point = place(of: CoveragePoint(pointer: pointer, value: nil)) ?? node.point
        add(schema, to: &node, at: pointer)
    }

    /// Elements and members without names; a schema that only lets them be asks for nothing that could be missing.
    private mutating func addOthers(_ schema: JSONDocument.Value, to node: inout CoverageNode, at pointer: String) {
        guard schema.kind == .object else { return }
        var others = node.others ?? CoverageNode()
        addProperty(schema, to: &others, at: pointer + "/*")
        node.others = others
    }

    // MARK: Values

    private mutating func addValues(of schema: JSONDocument.Value, to node: inout CoverageNode, at pointer: String) {
        var values = (schema[.enum]?.elements ?? []) + [schema[.const]].compactMap { $0 }
        if values.isEmpty, Self.isBoolean(schema[.type]) { values = Self.booleans }
        for value in values where node.keys.insert(ValueKey(value)).inserted {
            let text = String(decoding: value.source, as: UTF8.self)
            guard let place = place(of: CoveragePoint(pointer: pointer, value: text)) else { continue }
            node.values.append((value, place))
        }
    }

    /// Whether a type is a boolean, which may be null besides.
    private static func isBoolean(_ type: JSONDocument.Value?) -> Bool {
        let types = (type?.elements.compactMap(\.string) ?? []) + [type?.string].compactMap { $0 }
        return types.contains("boolean") && Set(types).isSubset(of: ["boolean", "null"])
    }

    private static let booleans: [JSONDocument.Value] =
        // The text is JSON.
        (try? JSONDocument("[false,true]".utf8))?.root.elements ?? []

    private mutating func place(of point: CoveragePoint) -> Int? {
        if let place = placeByPoint[point] { return place }
        guard points.count < Self.maximumPoints else {
            isComplete = false
            return nil
        }
        placeByPoint[point] = points.count
        points.append(point)
        return points.count - 1
    }

    // MARK: References

    private mutating func follow(_ schema: JSONDocument.Value, to node: inout CoverageNode, at pointer: String) {
        for keyword in [SchemaKeyword.ref, .dynamicRef] {
            guard let reference = schema[keyword]?.string, let target = find(reference, from: schema) else { continue }
            let step = "\(target.document.root[.id]?.string ?? "") \(target.offset)"
            guard !path.contains(step), followed.insert("\(step) \(pointer)").inserted else { continue }
            path.insert(step)
            add(target, to: &node, at: pointer)
            path.remove(step)
        }
    }

    /// A schema within the plan: in this file (`#/$defs/page`), or in another by its `$id`.
    private func find(_ reference: String, from schema: JSONDocument.Value) -> JSONDocument.Value? {
        let parts = reference.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
        let root = parts[0].isEmpty ? schema.document.root : document(String(parts[0]), from: schema.document.root)
        guard let root, parts.count == 2, !parts[1].isEmpty else { return root }
        let fragment = String(parts[1])
        if fragment.hasPrefix("/") { return root[pointer: fragment] }
        return root[.defs]?.members.map(\.value).first {
            $0[.anchor]?.string == fragment || $0[.dynamicAnchor]?.string == fragment
        }
    }

    private func document(_ reference: String, from root: JSONDocument.Value) -> JSONDocument.Value? {
        if let document = documents[reference] { return document }
        // Relative to the folder of the schema that refers, up and down.
        var steps = (root[.id]?.string ?? "").split(separator: "/", omittingEmptySubsequences: false).dropLast()
        for step in reference.split(separator: "/") {
            switch step {
            case ".": continue
            case "..": _ = steps.popLast()
            default: steps.append(step)
            }
        }
        return documents[steps.joined(separator: "/")]
    }
}

extension JSONDocument.Value {
    /// The schemas that a keyword of a schema holds.
    fileprivate func schemas(under keyword: SchemaKeyword) -> [JSONDocument.Value] {
        guard let value = self[keyword] else { return [] }
        return switch keyword.content {
        case .schema: [value]
        case .list: value.elements
        case .map: value.members.map(\.value)
        case .reference, .value: []
        }
    }
}
