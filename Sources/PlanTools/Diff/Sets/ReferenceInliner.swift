internal import JSONSchema

/// Writes out what a schema refers to, and leaves out what refuses nothing: two schemas that say the same in other words
/// of this kind become the same.
struct ReferenceInliner {
    let library: SchemaLibrary

    /// The schema of a place without references.
    ///
    /// - Throws: ``BeyondSets`` for schemas that refer to themselves or out of the plan, and for numbers that do not fit.
    func inline(_ place: SchemaPlace) throws(BeyondSets) -> ExactJSON { try schema(place, open: []) }

    private func schema(_ place: SchemaPlace, open: [SchemaPlace]) throws(BeyondSets) -> ExactJSON {
        guard place.value.kind == .object else { return .boolean(place.value.boolean ?? true) }
        guard !open.contains(where: place.isSame), open.count < 200 else {
            throw BeyondSets("a schema refers to itself")
        }
        let open = open + [place]
        var kept: [ExactText: ExactJSON] = [:]
        var targets: [ExactJSON] = []
        for (keyword, part) in place.members {
            switch KeywordShape(keyword) {
            case .schema: kept[ExactText(keyword)] = try schema(part, open: open)
            case .list:
                var parts: [ExactJSON] = []
                for element in part.elements { parts.append(try schema(element, open: open)) }
                kept[ExactText(keyword)] = .array(parts)
            case .map:
                var parts: [ExactText: ExactJSON] = [:]
                for member in part.members { parts[ExactText(member.name)] = try schema(member.place, open: open) }
                kept[ExactText(keyword)] = .object(parts)
            case .assertion: kept[ExactText(keyword)] = try ExactJSON(part.value)
            case .reference: targets.append(try target(keyword, part, from: place, open: open))
            case .note: break
            }
        }
        if kept.isEmpty, targets.count == 1 { return targets[0] }
        if !targets.isEmpty { kept["allOf"] = .array((kept["allOf"]?.elements ?? []) + targets) }
        return .object(kept)
    }

    private func target(
        _ keyword: String, _ part: SchemaPlace, from place: SchemaPlace, open: [SchemaPlace]
    ) throws(BeyondSets) -> ExactJSON {
        guard keyword == "$ref" else { throw BeyondSets("a reference hangs on where the schema is used") }
        guard let reference = part.value.string, let target = library.follow(reference, from: place) else {
            throw BeyondSets("a reference leads out of the plan")
        }
        return try schema(target, open: open)
    }
}
