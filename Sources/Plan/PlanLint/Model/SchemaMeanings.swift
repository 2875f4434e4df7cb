internal import JSONSchema

/// The meanings of all subschemas of a plan, with references resolved.
struct SchemaMeanings: Sendable {
    /// The subschemas that describe a separate value, in the order of the text. Excluded are subschemas that only
    /// extend another schema or choose between schemas.
    let values: [Subschema]
    /// The containment and references between subschemas.
    let parts: SchemaParts
    /// The subschemas that only extend a closed object.
    private(set) var extended: Set<Subschema> = []
    private var known: [Subschema: SchemaMeaning] = [:]

    init(_ documents: [LintDocument], _ nodes: [Subschema]) {
        parts = SchemaParts(nodes)
        let reached = Set(parts.reached(from: documents.compactMap(\.root), conditions: false))
        values = nodes.filter { node in
            switch node.role {
            case .definition, .inPlace: false
            default: reached.contains(node)
            }
        }
        for node in nodes { settle(node) }
        let closed = values.filter { self[$0].facts.contains(.closed) }
        extended = Set(parts.allPossible(of: closed.flatMap(parts.possible)))
    }

    /// Computes meanings iteratively: a chain of references can be as long as a file.
    private mutating func settle(_ start: Subschema) {
        var open = [start]
        var begun: Set<Subschema> = []
        while let node = open.last {
            guard known[node] == nil else {
                open.removeLast()
                continue
            }
            let inner = parts.certain(of: node) + parts.alternatives(of: node).flatMap { $0 }
            let missing = inner.compactMap { $0 }.filter { known[$0] == nil && !begun.contains($0) }
            if begun.insert(node).inserted, !missing.isEmpty {
                open += missing
            } else {
                known[node] = combined(node)
                open.removeLast()
            }
        }
    }

    private func combined(_ node: Subschema) -> SchemaMeaning {
        // Missing targets and cycles are reported by other rules.
        func inner(_ node: Subschema?) -> SchemaMeaning { node.flatMap { known[$0] } ?? .nothing }
        var meaning = SchemaMeaning(of: node)
        for part in parts.certain(of: node) { meaning = meaning.and(inner(part)) }
        for group in parts.alternatives(of: node) {
            meaning = meaning.and(
                group.map { $0 == nil ? .anything : inner($0) }.reduce(.nothing) { $0.or($1) })
        }
        let dependent = node.schemas(in: .dependentSchemas)
        if dependent.contains(where: { $0[.properties] != nil }) { meaning.describesMembers = true }
        return meaning
    }

    subscript(node: Subschema) -> SchemaMeaning {
        parts.refined(by: node).reduce(known[node] ?? .anything) { $0.and(known[$1] ?? .anything) }
    }

    /// Returns the subschemas that cause a missing fact: those that name the type.
    func culprits(of value: Subschema, lacking fact: SchemaMeaning.Facts, _ type: ValueTypes) -> [Subschema] {
        var seen: Set<Subschema> = []
        let found = culprits(value, fact: fact, type: type, seen: &seen, depth: 0)
        return found.isEmpty ? [value] : found
    }

    private func culprits(
        _ value: Subschema, fact: SchemaMeaning.Facts, type: ValueTypes,
        seen: inout Set<Subschema>, depth: Int
    ) -> [Subschema] {
        guard depth < 64, seen.insert(value).inserted else { return [] }
        let certain = parts.allCertain(of: value)
        let named = certain.first { node in
            node.types.contains { ValueTypes(named: $0)?.isDisjoint(with: type) == false }
                || type == .object && node[.properties] != nil
        }
        if let named { return [named] }
        var found: [Subschema] = []
        for branch in certain.flatMap({ parts.alternatives(of: $0) }).flatMap({ $0 }).compactMap({ $0 }) {
            let meaning = self[branch]
            guard meaning.types.isSuperset(of: type), !meaning.facts.contains(fact) else { continue }
            found += culprits(branch, fact: fact, type: type, seen: &seen, depth: depth + 1)
        }
        return found
    }
}

extension LintPlan {
    /// Returns one issue for each subschema that lacks a fact about a type.
    func issues(
        lacking fact: SchemaMeaning.Facts, _ type: ValueTypes, where accepts: (SchemaMeaning) -> Bool,
        _ issue: (Subschema) -> LintIssue
    ) -> [LintIssue] {
        var seen: Set<Subschema> = []
        return meanings.values.flatMap { value in
            let meaning = meanings[value]
            guard accepts(meaning), !meaning.facts.contains(fact) else { return [LintIssue]() }
            let culprits = meanings.culprits(of: value, lacking: fact, type)
            return culprits.filter { seen.insert($0).inserted }.map(issue)
        }
    }
}
