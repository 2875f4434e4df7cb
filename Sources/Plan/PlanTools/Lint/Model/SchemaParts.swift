internal import JSONSchema

/// How the subschemas of a plan stand in each other, and refer to each other.
struct SchemaParts: Sendable {
    private var children: [SchemaReferences.Place: [SchemaNode]] = [:]
    /// By subschema: those that say of their values what it says.
    private var users: [SchemaReferences.Place: [SchemaNode]] = [:]
    private let references: SchemaReferences

    init(_ nodes: [SchemaNode], _ references: SchemaReferences) {
        self.references = references
        for node in nodes {
            if let around = node.around { children[around, default: []].append(node) }
        }
        for node in nodes {
            for part in possible(of: node) { users[part.place, default: []].append(node) }
        }
    }

    /// The subschemas that stand directly in another.
    func children(of node: SchemaNode) -> [SchemaNode] { children[node.place] ?? [] }

    /// The subschemas in a keyword of another.
    func children(of node: SchemaNode, _ keyword: String) -> [SchemaNode] {
        node[keyword] == nil ? [] : children(of: node).filter { $0.keyword == keyword }
    }

    /// What a subschema refers to; nil for what is not there.
    func targets(of node: SchemaNode) -> [SchemaNode?] {
        SchemaReferences.references(of: node).map { references.target(of: $0.reference, from: node) }
    }

    /// What holds with a subschema, for the same value.
    func certain(of node: SchemaNode) -> [SchemaNode?] { targets(of: node) + children(of: node, "allOf") }

    /// A subschema with all that holds with it.
    func allCertain(of node: SchemaNode) -> [SchemaNode] {
        closure([node]) { certain(of: $0).compactMap { $0 } }
    }

    /// Those of which one holds: the alternatives of each keyword; nil is one that takes anything.
    func alternatives(of node: SchemaNode) -> [[SchemaNode?]] {
        var groups: [[SchemaNode?]] = ["anyOf", "oneOf"].map { children(of: node, $0) }
        if node["if"] != nil {
            groups.append(["then", "else"].map { children(of: node, $0).first })
        }
        return groups.filter { !$0.isEmpty }
    }

    /// What may be said of the same value: what holds with a subschema, and all alternatives.
    func possible(of node: SchemaNode) -> [SchemaNode] {
        let alternatives = alternatives(of: node).flatMap { $0 }
        return (certain(of: node) + alternatives + children(of: node, "dependentSchemas")).compactMap { $0 }
    }

    /// Subschemas with all that may be said of the same values.
    func allPossible(of nodes: [SchemaNode]) -> [SchemaNode] { closure(nodes, possible) }

    /// A subschema with all that may say of their values what it says.
    func allUsers(of node: SchemaNode) -> [SchemaNode] { closure([node]) { users[$0.place] ?? [] } }

    /// All that the outermost schemas lead to.
    ///
    /// - Parameter conditions: Also what only chooses between schemas, and describes no value.
    func reached(from roots: [SchemaNode], conditions: Bool) -> [SchemaNode] {
        closure(roots) { node in
            let children = children(of: node).filter { child in
                child.keyword != "$defs" && (conditions || !isCondition(child, in: node))
            }
            return children + targets(of: node).compactMap { $0 }
        }
    }

    private func isCondition(_ child: SchemaNode, in node: SchemaNode) -> Bool {
        switch child.keyword {
        case "if", "not": true
        // What the elements are stands elsewhere then.
        case "contains": node["items"] != nil || node["prefixItems"] != nil
        default: false
        }
    }

    /// Each subschema that steps lead to, once.
    private func closure(_ starts: [SchemaNode], _ steps: (SchemaNode) -> [SchemaNode]) -> [SchemaNode] {
        var found: [SchemaNode] = []
        var seen: Set<SchemaReferences.Place> = []
        var open = Array(starts.reversed())
        while let node = open.popLast() {
            guard seen.insert(node.place).inserted else { continue }
            found.append(node)
            open += steps(node).reversed()
        }
        return found
    }

    /// The subschemas around one that describe the same value, from the inside.
    func around(_ node: SchemaNode) -> [SchemaNode] {
        var found: [SchemaNode] = []
        var node = node
        while node.role == .inPlace, let around = node.around.flatMap({ references[$0] }) {
            found.append(around)
            node = around
        }
        return found
    }

    /// What the subschemas around the object of a property say of that property as well.
    func refined(by node: SchemaNode) -> [SchemaNode] {
        guard case .property(let name) = node.role, let object = node.around.flatMap({ references[$0] }) else {
            return []
        }
        return around(object).compactMap { references.node($0, "properties", name) }
    }
}
