internal import JSONSchema

/// Where the references of a plan lead to.
struct SchemaReferences: Sendable {
    /// The place of a subschema: its file, and the way to it.
    struct Place: Hashable, Sendable {
        let path: String
        let pointer: JSONPointer
    }

    private var nodes: [Place: SchemaNode] = [:]
    /// By URI: the outermost schema that has it.
    private var resources: [String: SchemaNode] = [:]
    /// By URI with `#` and anchor.
    private var anchors: [String: SchemaNode] = [:]

    /// - Parameter all: Every subschema of the plan.
    init(_ all: [SchemaNode]) {
        for node in all {
            nodes[node.place] = node
            if node["$id"] != nil, !node.base.isEmpty { resources[node.base] = resources[node.base] ?? node }
            if node.role == .root, node["$id"] == nil { resources[""] = node }
            for keyword in ["$anchor", "$dynamicAnchor"] {
                if let anchor = node[keyword]?.string { anchors["\(node.base)#\(anchor)"] = node }
            }
        }
    }

    /// The subschema at a place.
    subscript(place: Place) -> SchemaNode? { nodes[place] }

    /// The subschema that a way from another leads to.
    func node(_ node: SchemaNode, _ way: String...) -> SchemaNode? {
        nodes[Place(path: node.path, pointer: JSONPointer(node.pointer.tokens + way))]
    }

    /// The references of a subschema: the keyword and what it says.
    static func references(of node: SchemaNode) -> [(keyword: String, reference: String)] {
        ["$ref", "$dynamicRef"].compactMap { keyword in node[keyword]?.string.map { (keyword, $0) } }
    }

    /// Whether a reference leads to one of the standard's own meta-schemas, which are always there.
    ///
    /// Complexity: that of compiling the meta-schema.
    static func isStandard(_ reference: String, from node: SchemaNode) -> Bool {
        let (uri, fragment) = URIs.split(reference)
        let target = URIs.resolve(uri, against: node.base)
        guard target.hasPrefix("https://json-schema.org/draft/2020-12/") else { return false }
        return (try? SchemaSet().compile(fragment.isEmpty ? target : target + URIs.fragment(fragment))) != nil
    }

    /// The subschema that a reference leads to; nil if there is none.
    func target(of reference: String, from node: SchemaNode) -> SchemaNode? {
        let (uri, fragment) = URIs.split(reference)
        let base = URIs.resolve(uri, against: node.base)
        if !fragment.isEmpty, !fragment.hasPrefix("/") { return anchors["\(base)#\(fragment)"] }
        let isHere = uri.isEmpty && resources[base]?.path != node.path
        let start = isHere ? nodes[Place(path: node.path, pointer: JSONPointer())] : resources[base]
        guard let start, let way = JSONPointer(fragment) else { return nil }
        return nodes[Place(path: start.path, pointer: JSONPointer(start.pointer.tokens + way.tokens))]
    }
}

extension SchemaNode {
    /// Its place among all subschemas of a plan.
    var place: SchemaReferences.Place { SchemaReferences.Place(path: path, pointer: pointer) }
}
