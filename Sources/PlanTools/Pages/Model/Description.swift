internal import JSONSchema

/// All that is said of one value: by a subschema, by those it refers to, and by those it combines.
struct Description {
    private let parts: [(node: SchemaNode, isCertain: Bool)]
    private let references: SchemaReferences

    init(_ node: SchemaNode, _ references: SchemaReferences) {
        self.references = references
        var parts: [(SchemaNode, Bool)] = []
        var seen: Set<SchemaReferences.Place> = []
        Self.collect(node, references, isCertain: true, into: &parts, &seen)
        self.parts = parts
    }

    private static func collect(
        _ node: SchemaNode, _ references: SchemaReferences, isCertain: Bool,
        into parts: inout [(SchemaNode, Bool)], _ seen: inout Set<SchemaReferences.Place>
    ) {
        guard seen.insert(node.place).inserted else { return }
        parts.append((node, isCertain))
        for (_, reference) in SchemaReferences.references(of: node) {
            if let target = references.target(of: reference, from: node) {
                collect(target, references, isCertain: isCertain, into: &parts, &seen)
            }
        }
        for (keyword, isAlways) in [("allOf", true), ("anyOf", false), ("oneOf", false)] {
            for index in (node[keyword]?.elements ?? []).indices {
                guard let child = references.node(node, keyword, "\(index)") else { continue }
                collect(child, references, isCertain: isCertain && isAlways, into: &parts, &seen)
            }
        }
        for keyword in ["then", "else"] {
            guard let child = references.node(node, keyword) else { continue }
            collect(child, references, isCertain: false, into: &parts, &seen)
        }
    }

    /// The subschemas that say it.
    var places: Set<SchemaReferences.Place> { Set(parts.map(\.node.place)) }

    /// The properties of an object, those of all parts.
    var properties: [(name: String, node: SchemaNode, isRequired: Bool)] {
        let required = Set(
            parts.filter(\.isCertain).flatMap { $0.node["required"]?.elements.compactMap(\.string) ?? [] })
        return parts.flatMap { part in
            (part.node["properties"]?.members ?? []).compactMap { member in
                references.node(part.node, "properties", member.name).map {
                    (member.name, $0, required.contains(member.name))
                }
            }
        }
    }

    /// What the elements of an array are.
    var element: SchemaNode? {
        parts.lazy.compactMap { references.node($0.node, "items") }.first { $0.value.kind == .object }
    }

    /// Whether there is more to say than a type.
    var saysMoreThanType: Bool {
        ["description", "maxLength", "minimum", "maximum", "pattern", "enum"].contains { self[$0] != nil }
    }

    /// What the first part that has a keyword says with it.
    subscript(keyword: String) -> JSONDocument.Value? { parts.lazy.compactMap { $0.node[keyword] }.first }

    /// The row of a page.
    func row(_ path: String, isRequired: Bool?) -> PropertyRow {
        PropertyRow(
            path: path, type: PropertyWords.type(self), isRequired: isRequired, limits: PropertyWords.limits(self),
            pattern: self["pattern"]?.string, allowed: PropertyWords.allowed(self),
            description: self["description"]?.string ?? "", openReason: self["x-open"]?.string,
            personal: self["x-pii"].flatMap { PersonalData($0) })
    }

    /// The names of the types that the value may have; those of all alternatives where the value itself has none.
    var types: [String] {
        let certain = parts.first { !$0.node.types.isEmpty && $0.isCertain }?.node.types
        var found: [String] = []
        for type in certain ?? parts.flatMap(\.node.types) where !found.contains(type) { found.append(type) }
        return found
    }

    /// The description of an array's elements.
    var elementDescription: Description? { element.map { Description($0, references) } }
}
