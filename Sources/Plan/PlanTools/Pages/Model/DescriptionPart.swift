internal import JSONSchema

/// A subschema that says something of a value.
struct DescriptionPart {
    /// How far what it says holds.
    enum Certainty: Int, Comparable {
        /// Only for some values: one of several alternatives.
        case sometimes
        /// For every value but null: the only alternative to it.
        case unlessNull
        /// For every value.
        case always

        static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
    }

    let node: SchemaNode
    let certainty: Certainty

    init(_ node: SchemaNode, _ certainty: Certainty) {
        self.node = node
        self.certainty = certainty
    }

    /// All that is said of the values of some subschemas: what is certain first, each part once.
    static func all(_ starts: [DescriptionPart], _ references: SchemaReferences) -> [DescriptionPart] {
        var parts: [DescriptionPart] = []
        var seen: Set<SchemaReferences.Place> = []
        var waiting: [Certainty: [DescriptionPart]] = Dictionary(grouping: starts, by: \.certainty)
        for certainty in [Certainty.always, .unlessNull, .sometimes] {
            // The last is the next, so that the order is that of the text.
            var open = Array((waiting[certainty] ?? []).reversed())
            while let part = open.popLast() {
                guard seen.insert(part.node.place).inserted else { continue }
                parts.append(part)
                let children = part.children(references)
                open += children.filter { $0.certainty == certainty }.reversed()
                for child in children where child.certainty < certainty {
                    waiting[child.certainty, default: []].append(child)
                }
            }
        }
        return parts
    }

    /// What it refers to, and what it combines.
    private func children(_ references: SchemaReferences) -> [DescriptionPart] {
        var found = Self.targets(of: node, references).map { DescriptionPart($0, certainty) }
        found += Self.branches(of: node, "allOf", references).map { DescriptionPart($0, certainty) }
        for keyword in ["anyOf", "oneOf"] {
            let branches = Self.branches(of: node, keyword, references)
            let isOne = branches.count { $0.types != ["null"] } == 1
            found += branches.map {
                DescriptionPart($0, isOne && $0.types != ["null"] ? min(certainty, .unlessNull) : .sometimes)
            }
        }
        found += ["then", "else"].compactMap { references.node(node, $0) }.map { DescriptionPart($0, .sometimes) }
        let dependent = node["dependentSchemas"]?.members ?? []
        return found
            + dependent.compactMap { references.node(node, "dependentSchemas", $0.name) }.map {
                DescriptionPart($0, .sometimes)
            }
    }

    /// What a subschema refers to.
    static func targets(of node: SchemaNode, _ references: SchemaReferences) -> [SchemaNode] {
        SchemaReferences.references(of: node).compactMap { references.target(of: $0.reference, from: node) }
    }

    /// The subschemas in a list.
    static func branches(of node: SchemaNode, _ keyword: String, _ references: SchemaReferences) -> [SchemaNode] {
        (node[keyword]?.elements ?? []).indices.compactMap { references.node(node, keyword, "\($0)") }
    }
}
