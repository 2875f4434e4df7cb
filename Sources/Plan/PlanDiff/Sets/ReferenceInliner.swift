internal import JSONSchema

/// Inlines references and removes keywords that reject nothing, so that equivalent schemas become equal.
final class ReferenceInliner {
    /// The maximum number of schemas in the result.
    private static let mostSchemas = 5000

    /// The inlined schemas, each with its number of schemas.
    private var known: [Subschema: (schema: ExactJSON, size: Int)] = [:]
    /// The subschemas that are being inlined.
    private var open: Set<Subschema> = []
    /// The number of schemas so far.
    private var size = 0

    /// Returns a subschema without references.
    ///
    /// - Throws: ``BeyondSets`` for schemas that reference themselves or leave the plan, for too many schemas, and for
    ///   numbers that are too large.
    func inline(_ location: Subschema) throws(BeyondSets) -> ExactJSON {
        open = []
        size = 0
        return try schema(location)
    }

    private func schema(_ location: Subschema) throws(BeyondSets) -> ExactJSON {
        guard location.value.kind == .object else { return .boolean(location.value.boolean ?? true) }
        if let (schema, size) = known[location] {
            try grow(size)
            return schema
        }
        guard open.count < 200, open.insert(location).inserted else { throw BeyondSets("a schema references itself") }
        let before = size
        try grow(1)
        let schema = try writtenOut(location)
        open.remove(location)
        known[location] = (schema, size - before)
        return schema
    }

    private func grow(_ count: Int) throws(BeyondSets) {
        size += count
        guard size <= Self.mostSchemas else { throw BeyondSets("references expand to too many schemas") }
    }

    private func writtenOut(_ location: Subschema) throws(BeyondSets) -> ExactJSON {
        var kept: [ExactText: ExactJSON] = [:]
        var targets: [ExactJSON] = []
        for (keyword, member) in location.keywords where keyword.rejectsValues {
            let name = ExactText(keyword.rawValue)
            switch keyword.content {
            case .schema:
                kept[name] = try location.schema(in: keyword).map { part throws(BeyondSets) in try schema(part) }
            case .list:
                var parts: [ExactJSON] = []
                for part in location.schemas(in: keyword) { parts.append(try schema(part)) }
                kept[name] = .array(parts)
            case .map:
                var parts: [ExactText: ExactJSON] = [:]
                for part in location.named(in: keyword) { parts[ExactText(part.name)] = try schema(part.schema) }
                kept[name] = .object(parts)
            case .value: kept[name] = try ExactJSON(member.value)
            case .reference: targets.append(try target(of: keyword, from: location))
            }
        }
        if kept.isEmpty, targets.count == 1 { return targets[0] }
        let allOf = ExactText(SchemaKeyword.allOf.rawValue)
        if !targets.isEmpty { kept[allOf] = .array((kept[allOf]?.elements ?? []) + targets) }
        return .object(kept)
    }

    private func target(of keyword: SchemaKeyword, from location: Subschema) throws(BeyondSets) -> ExactJSON {
        guard keyword == .ref else { throw BeyondSets("the target of a reference depends on where the schema is used") }
        guard let target = location.target(of: keyword) else { throw BeyondSets("a reference leads outside the plan") }
        return try schema(target)
    }
}
