internal import JSONSchema

/// Writes out what a schema refers to, and leaves out what refuses nothing: two schemas that say the same in other words
/// of this kind become the same.
final class ReferenceInliner {
    /// How many schemas a schema may become.
    private static let mostSchemas = 5000

    /// What places became, and of how many schemas it is made.
    private var known: [Subschema: (schema: ExactJSON, size: Int)] = [:]
    /// The places on the way to the one that is written out.
    private var open: Set<Subschema> = []
    /// How many schemas the ones on the way are made of so far.
    private var size = 0

    /// The schema of a place without references.
    ///
    /// - Throws: ``BeyondSets`` for schemas that refer to themselves or out of the plan or become too many, and for
    ///   numbers that do not fit.
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
        guard open.count < 200, open.insert(location).inserted else { throw BeyondSets("a schema refers to itself") }
        let before = size
        try grow(1)
        let schema = try writtenOut(location)
        open.remove(location)
        known[location] = (schema, size - before)
        return schema
    }

    private func grow(_ count: Int) throws(BeyondSets) {
        size += count
        guard size <= Self.mostSchemas else { throw BeyondSets("references lead to too many schemas") }
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
        guard keyword == .ref else { throw BeyondSets("a reference hangs on where the schema is used") }
        guard let target = location.target(of: keyword) else { throw BeyondSets("a reference leads out of the plan") }
        return try schema(target)
    }
}
