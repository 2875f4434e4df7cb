internal import JSONSchema
internal import TrackingPlan

/// The role of a subschema in its parent.
enum SchemaRole: Hashable, Sendable {
    /// The root schema of a file.
    case root
    /// The schema of the member with this name.
    case property(String)
    /// A schema in `$defs`; it applies only where it is referenced.
    case definition(String)
    /// The schema of array elements, or of members without a listed name.
    case element
    /// A schema of the same value as its parent: in `allOf`, `if` …
    case inPlace
    /// A schema of member names, or of a string's content.
    case aside
}

extension Subschema {
    /// Its role in its parent.
    var role: SchemaRole {
        guard let keyword else { return .root }
        switch keyword.role {
        case .identity: return .definition(name ?? "")
        case .inPlace: return .inPlace
        case .inside:
            if keyword == .properties, let name { return .property(name) }
            return keyword == .propertyNames ? .aside : .element
        case .limit, .annotation: return .aside
        }
    }

    /// Whether this is a property that its parent requires.
    var isRequired: Bool {
        guard keyword == .properties, let name else { return false }
        return parent?[.required]?.elements.contains { $0.string == name } == true
    }

    /// The name in messages: the property's name, if it has one.
    var label: String {
        switch role {
        case .property(let name): name
        case .definition(let name): "\(SchemaKeyword.defs.rawValue)/\(name)"
        case .root: "the schema"
        case .element, .inPlace, .aside: pointer.description
        }
    }

    var references: [(keyword: SchemaKeyword, text: String)] {
        [SchemaKeyword.ref, .dynamicRef].compactMap { keyword in self[keyword]?.string.map { (keyword, $0) } }
    }

    /// The targets of its references; nil for a target outside the folder.
    var targets: [Subschema?] {
        references.map { target(of: $0.keyword).flatMap { $0.isReachedByKeywords ? $0 : nil } }
    }

    var isListed: Bool { self[.enum] != nil || self[.const] != nil }

    /// Whether it rejects members that are not listed.
    var isClosed: Bool {
        self[.additionalProperties]?.boolean == false || self[.unevaluatedProperties]?.boolean == false
    }

    /// The reason in `x-open`, if there is one.
    var openReason: String? { self[.open]?.string.flatMap { $0.isEmpty ? nil : $0 } }
}

extension JSONKind {
    /// The types by their names in the keyword `type`.
    var typeNames: [String] {
        let names: [(JSONKind, [String])] = [
            (.null, ["null"]), (.boolean, ["boolean"]), (.number, ["integer", "number"]), (.string, ["string"]),
            (.array, ["array"]), (.object, ["object"]),
        ]
        return names.filter { contains($0.0) }.flatMap(\.1)
    }
}
