internal import JSONSchema
internal import TrackingPlan

/// Finds the only values that a subschema allows, if it lists them.
struct ListedValues {
    /// The known lists; nil for a subschema that is being visited.
    private var known: [Subschema: [JSONDocument.Value]?] = [:]
    /// The depth limit; deeper subschemas count as unlisted.
    private static let maximumDepth = 100

    /// Returns the values that satisfy all certain parts; for alternatives, the values of all of them, if each lists
    /// some.
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

    /// Returns the values in every list; nil if there is no list.
    private func common(_ lists: [[JSONDocument.Value]?]) -> [JSONDocument.Value]? {
        let lists = lists.compactMap { $0 }
        guard let first = lists.first else { return nil }
        let others = lists.dropFirst().map { Set($0.map(ValueKey.init)) }
        return first.filter { value in others.allSatisfy { $0.contains(ValueKey(value)) } }
    }

    /// Returns the values in any list, without duplicates; nil if a list is missing.
    private func union(_ lists: [[JSONDocument.Value]?]) -> [JSONDocument.Value]? {
        let found = lists.compactMap { $0 }
        guard !lists.isEmpty, found.count == lists.count else { return nil }
        var seen: Set<ValueKey> = []
        return found.flatMap { $0 }.filter { seen.insert(ValueKey($0)).inserted }
    }

    // The text is valid JSON.
    private static let null = JSONDocument(validating: "null".utf8).map { [$0.root] }
}
