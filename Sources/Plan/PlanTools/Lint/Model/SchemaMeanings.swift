internal import JSONSchema

/// What every subschema of a plan says, references followed.
struct SchemaMeanings: Sendable {
    /// The subschemas that describe a value of their own, in the order of the text: not those that only add to what
    /// another says, or choose between others.
    let values: [SchemaNode]
    /// How subschemas stand in each other.
    let parts: SchemaParts
    /// The subschemas that only add to what another says of a closed object.
    private(set) var extended: Set<SchemaReferences.Place> = []
    private var known: [SchemaReferences.Place: SchemaMeaning] = [:]

    init(_ documents: [LintDocument], _ references: SchemaReferences) {
        let nodes = documents.flatMap(\.nodes)
        parts = SchemaParts(nodes, references)
        let reached = Set(parts.reached(from: documents.compactMap(\.nodes.first), conditions: false).map(\.place))
        values = nodes.filter { node in
            switch node.role {
            case .definition, .inPlace: false
            default: reached.contains(node.place)
            }
        }
        for node in nodes { settle(node) }
        let closed = values.filter { self[$0].facts.contains(.closed) }
        extended = Set(parts.allPossible(of: closed.flatMap(parts.possible)).map(\.place))
    }

    /// Without recursion: a chain of references can be as long as a file.
    private mutating func settle(_ start: SchemaNode) {
        var open = [start]
        var begun: Set<SchemaReferences.Place> = []
        while let node = open.last {
            guard known[node.place] == nil else {
                open.removeLast()
                continue
            }
            let inner = parts.certain(of: node) + parts.alternatives(of: node).flatMap { $0 }
            let missing = inner.compactMap { $0 }.filter { known[$0.place] == nil && !begun.contains($0.place) }
            if begun.insert(node.place).inserted, !missing.isEmpty {
                open += missing
            } else {
                known[node.place] = combined(node)
                open.removeLast()
            }
        }
    }

    private func combined(_ node: SchemaNode) -> SchemaMeaning {
        // What is not there, and what refers to itself, has rules of its own.
        func inner(_ node: SchemaNode?) -> SchemaMeaning { node.flatMap { known[$0.place] } ?? .nothing }
        var meaning = SchemaMeaning(of: node)
        for part in parts.certain(of: node) { meaning = meaning.and(inner(part)) }
        for group in parts.alternatives(of: node) {
            meaning = meaning.and(
                group.map { $0 == nil ? .anything : inner($0) }.reduce(.nothing) { $0.or($1) })
        }
        let dependent = parts.children(of: node, "dependentSchemas")
        if dependent.contains(where: { $0["properties"] != nil }) { meaning.describesMembers = true }
        return meaning
    }

    /// What a subschema says.
    subscript(node: SchemaNode) -> SchemaMeaning {
        parts.refined(by: node).reduce(known[node.place] ?? .anything) { $0.and(known[$1.place] ?? .anything) }
    }

    /// The subschemas to blame for what does not hold of a value: those that name the type.
    func culprits(of value: SchemaNode, lacking fact: SchemaMeaning.Facts, _ type: ValueTypes) -> [SchemaNode] {
        var seen: Set<SchemaReferences.Place> = []
        let found = culprits(value, fact, type, &seen, depth: 0)
        return found.isEmpty ? [value] : found
    }

    private func culprits(
        _ value: SchemaNode, _ fact: SchemaMeaning.Facts, _ type: ValueTypes,
        _ seen: inout Set<SchemaReferences.Place>, depth: Int
    ) -> [SchemaNode] {
        guard depth < 64, seen.insert(value.place).inserted else { return [] }
        let certain = parts.allCertain(of: value)
        let named = certain.first { node in
            node.types.contains { ValueTypes(named: $0)?.isDisjoint(with: type) == false }
                || type == .object && node["properties"] != nil
        }
        if let named { return [named] }
        var found: [SchemaNode] = []
        for branch in certain.flatMap({ parts.alternatives(of: $0) }).flatMap({ $0 }).compactMap({ $0 }) {
            let meaning = self[branch]
            guard meaning.types.isSuperset(of: type), !meaning.facts.contains(fact) else { continue }
            found += culprits(branch, fact, type, &seen, depth: depth + 1)
        }
        return found
    }
}

extension LintPlan {
    /// A fault for each subschema that is to blame for values of a type without a fact, each once.
    func faults(
        lacking fact: SchemaMeaning.Facts, _ type: ValueTypes, where takes: (SchemaMeaning) -> Bool,
        _ fault: (SchemaNode) -> LintFault
    ) -> [LintFault] {
        var seen: Set<SchemaReferences.Place> = []
        return meanings.values.flatMap { value in
            let meaning = meanings[value]
            guard takes(meaning), !meaning.facts.contains(fact) else { return [LintFault]() }
            let culprits = meanings.culprits(of: value, lacking: fact, type)
            return culprits.filter { seen.insert($0.place).inserted }.map(fault)
        }
    }
}
