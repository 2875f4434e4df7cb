internal import JSONSchema
internal import TrackingPlan

/// Finds the only values that a subschema takes, if it lists them.
struct ListedValues {
    /// Nil for what is being looked at.
    private var known: [Subschema: [JSONDocument.Value]?] = [:]
    /// Deeper than this nothing is said.
    private static let maximumDepth = 100

    /// The values that all parts which hold list; of alternatives all values, if each lists some.
    mutating func values(_ starts: [DescriptionPart]) -> [JSONDocument.Value]? {
        let certain = starts.filter { $0.certainty > .sometimes }
        guard certain.isEmpty else { return common(certain.map { values(of: $0.node, depth: 0) }) }
        return union(starts.map { values(of: $0.node, depth: 0) })
    }

    private mutating func values(of node: Subschema, depth: Int) -> [JSONDocument.Value]? {
        if let found = known[node] { return found }
        guard depth < Self.maximumDepth else { return nil }
        known[node] = .some(nil)
        var lists: [[JSONDocument.Value]?] = [node[.enum]?.elements, node[.const].map { [$0] }]
        for part in node.described + node.schemas(in: .allOf) { lists.append(values(of: part, depth: depth + 1)) }
        for keyword in [SchemaKeyword.anyOf, .oneOf] {
            let branches = node.schemas(in: keyword)
            lists.append(
                union(branches.map { $0.types == ["null"] ? Self.null : values(of: $0, depth: depth + 1) }))
        }
        let found = common(lists)
        known[node] = .some(found)
        return found
    }

    /// What stands in all lists that there are; nil if there is none.
    private func common(_ lists: [[JSONDocument.Value]?]) -> [JSONDocument.Value]? {
        let lists = lists.compactMap { $0 }
        guard let first = lists.first else { return nil }
        let others = lists.dropFirst().map { Set($0.map(ValueKey.init)) }
        return first.filter { value in others.allSatisfy { $0.contains(ValueKey(value)) } }
    }

    /// What stands in any list, each value once; nil if a list is missing.
    private func union(_ lists: [[JSONDocument.Value]?]) -> [JSONDocument.Value]? {
        let found = lists.compactMap { $0 }
        guard !lists.isEmpty, found.count == lists.count else { return nil }
        var seen: Set<ValueKey> = []
        return found.flatMap { $0 }.filter { seen.insert(ValueKey($0)).inserted }
    }

    // The text is JSON.
    private static let null = (try? JSONDocument("null".utf8)).map { [$0.root] }
}
