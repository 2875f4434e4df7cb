internal import JSONSchema

/// Builds a document that a schema probably accepts, as the starting point of a search.
final class PlainDocument {
    /// The maximum depth, since schemas may reference themselves.
    private static let deepest = 12
    /// The remaining number of schemas to visit, since references multiply.
    private var left = 100

    /// Whether the document includes optional members.
    let isFull: Bool

    init(isFull: Bool) { self.isFull = isFull }

    /// Returns the document; nil if the schema accepts nothing.
    func build(_ schema: Subschema, depth: Int = 0) -> ExactJSON? {
        let view = SchemaView(schema)
        guard !view.isFalse, depth < Self.deepest, left > 0 else { return nil }
        left -= 1
        // A value that cannot be compared exactly is not a useful starting point.
        if let value = view[.const] ?? view[.enum]?.elements.first { return ExactJSON(validating: value.value) }
        if let example = view[.examples]?.elements.first { return ExactJSON(validating: example.value) }
        if let reference = view.openReference, let target = reference.keyword.flatMap(reference.schema.target(of:)) {
            return build(target, depth: depth + 1)
        }
        let parts = view.parts + [SchemaKeyword.anyOf, .oneOf].compactMap { view.schemas(in: $0).first }
        let own = value(of: view, depth)
        let others = parts.compactMap { build($0, depth: depth + 1) }
        guard case .object(var members) = own ?? others.first else { return own ?? others.first }
        for other in others { members.merge(other.members) { own, _ in own } }
        return .object(members)
    }

    private func value(of view: SchemaView, _ depth: Int) -> ExactJSON? {
        switch type(of: view) {
        case "null": return .null
        case "boolean": return .boolean(true)
        case "integer", "number":
            let bound = view[.minimum] ?? view[.maximum] ?? view[.multipleOf]
            return .number(bound?.value.number.flatMap { ScaledDecimal($0) } ?? ScaledDecimal(1))
        case "string":
            let length = view[.minLength]?.value.integer ?? 1
            return .string(ExactText(String(repeating: "a", count: min(max(1, length), 100_000))))
        case "array":
            let count = min(view[.minItems]?.value.integer ?? (isFull ? 1 : 0), 100)
            let prefix = view.schemas(in: .prefixItems)
            return .array(
                (0..<count).compactMap { location in
                    guard
                        let item = location < prefix.count
                            ? prefix[location] : view.schema(in: .items) ?? view.schema(in: .contains)
                    else {
                        return .string("a")
                    }
                    return build(item, depth: depth + 1)
                })
        case "object":
            let required = Set(view[.required]?.value.elements.compactMap(\.string) ?? [])
            var members: [ExactText: ExactJSON] = [:]
            for name in required { members[ExactText(name)] = .string("a") }
            for (name, location) in view.named(in: .properties) where isFull || required.contains(name) {
                members[ExactText(name)] = build(location, depth: depth + 1)
            }
            return .object(members)
        default: return nil
        }
    }

    /// Returns the type that the schema names or that its keywords imply.
    private func type(of view: SchemaView) -> String? {
        if let type = view[.type] { return type.value.string ?? type.value.elements.first?.string }
        if view[.properties] != nil || view[.required] != nil { return "object" }
        if view[.items] != nil || view[.prefixItems] != nil || view[.contains] != nil { return "array" }
        if view[.minimum] != nil || view[.maximum] != nil || view[.multipleOf] != nil { return "number" }
        return view[.pattern] != nil || view[.minLength] != nil ? "string" : nil
    }
}
