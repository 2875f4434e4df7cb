internal import JSONSchema

/// Writes out what a schema refers to, and leaves out what refuses nothing: two schemas that say the same in other words
/// of this kind become the same.
final class ReferenceInliner {
    /// How many schemas a schema may become.
    private static let mostSchemas = 5000

    private let library: SchemaLibrary
    /// What places became, and of how many schemas it is made.
    private var known: [SchemaPlace.Key: (schema: ExactJSON, size: Int)] = [:]
    /// The places on the way to the one that is written out.
    private var open: Set<SchemaPlace.Key> = []
    /// How many schemas the ones on the way are made of so far.
    private var size = 0

    init(library: SchemaLibrary) { self.library = library }

    /// The schema of a place without references.
    ///
    /// - Throws: ``BeyondSets`` for schemas that refer to themselves or out of the plan or become too many, and for
    ///   numbers that do not fit.
    func inline(_ place: SchemaPlace) throws(BeyondSets) -> ExactJSON {
        open = []
        size = 0
        return try schema(place)
    }

    private func schema(_ place: SchemaPlace) throws(BeyondSets) -> ExactJSON {
        guard place.value.kind == .object else { return .boolean(place.value.boolean ?? true) }
        let key = place.key
        if let (schema, size) = known[key] {
            try grow(size)
            return schema
        }
        guard open.count < 200, open.insert(key).inserted else { throw BeyondSets("a schema refers to itself") }
        let before = size
        try grow(1)
        let schema = try writtenOut(place)
        open.remove(key)
        known[key] = (schema, size - before)
        return schema
    }

    private func grow(_ count: Int) throws(BeyondSets) {
        size += count
        guard size <= Self.mostSchemas else { throw BeyondSets("references lead to too many schemas") }
    }

    private func writtenOut(_ place: SchemaPlace) throws(BeyondSets) -> ExactJSON {
        var kept: [ExactText: ExactJSON] = [:]
        var targets: [ExactJSON] = []
        for (keyword, part) in place.members {
            switch KeywordShape(keyword) {
            case .schema: kept[ExactText(keyword)] = try schema(part)
            case .list:
                var parts: [ExactJSON] = []
                for element in part.elements { parts.append(try schema(element)) }
                kept[ExactText(keyword)] = .array(parts)
            case .map:
                var parts: [ExactText: ExactJSON] = [:]
                for member in part.members { parts[ExactText(member.name)] = try schema(member.place) }
                kept[ExactText(keyword)] = .object(parts)
            case .assertion: kept[ExactText(keyword)] = try ExactJSON(part.value)
            case .reference: targets.append(try target(keyword, part, from: place))
            case .note: break
            }
        }
        if kept.isEmpty, targets.count == 1 { return targets[0] }
        if !targets.isEmpty { kept["allOf"] = .array((kept["allOf"]?.elements ?? []) + targets) }
        return .object(kept)
    }

    private func target(
        _ keyword: String, _ part: SchemaPlace, from place: SchemaPlace
    ) throws(BeyondSets) -> ExactJSON {
        guard keyword == "$ref" else { throw BeyondSets("a reference hangs on where the schema is used") }
        guard let reference = part.value.string, let target = library.follow(reference, from: place) else {
            throw BeyondSets("a reference leads out of the plan")
        }
        return try schema(target)
    }
}
