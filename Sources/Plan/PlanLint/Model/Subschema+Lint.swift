internal import JSONSchema
internal import TrackingPlan

/// What a schema is for the one around it.
enum SchemaRole: Hashable, Sendable {
    /// The outermost schema of a file.
    case root
    /// The schema of a member of that name.
    case property(String)
    /// A schema in `$defs`, which says nothing where it is.
    case definition(String)
    /// The schema of array elements, or of members whose names are not listed.
    case element
    /// A schema of the same value that the one around it describes: in `allOf`, `if` …
    case inPlace
    /// The schema of names, or of what a string holds.
    case aside
}

extension Subschema {
    /// What it is for the schema around it.
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

    /// Whether it is a property that the schema around it requires.
    var isRequired: Bool {
        guard keyword == .properties, let name else { return false }
        return parent?[.required]?.elements.contains { $0.string == name } == true
    }

    /// The place as messages name it: the property's name where there is one.
    var label: String {
        switch role {
        case .property(let name): name
        case .definition(let name): "\(SchemaKeyword.defs.rawValue)/\(name)"
        case .root: "the schema"
        case .element, .inPlace, .aside: pointer.description
        }
    }

    /// Its references: the keyword and what it says.
    var references: [(keyword: SchemaKeyword, text: String)] {
        [SchemaKeyword.ref, .dynamicRef].compactMap { keyword in self[keyword]?.string.map { (keyword, $0) } }
    }

    /// Where its references lead to; nil for what is no schema of the folder.
    var targets: [Subschema?] {
        references.map { target(of: $0.keyword).flatMap { $0.isReachedByKeywords ? $0 : nil } }
    }

    /// Whether it lists the values it takes.
    var isListed: Bool { self[.enum] != nil || self[.const] != nil }

    /// Whether no member is taken that is not listed.
    var isClosed: Bool {
        self[.additionalProperties]?.boolean == false || self[.unevaluatedProperties]?.boolean == false
    }

    /// Why it is open on purpose, if it says so.
    var openReason: String? { self[.open]?.string.flatMap { $0.isEmpty ? nil : $0 } }
}

extension JSONKind {
    /// The types by the names of the keyword `type`.
    var typeNames: [String] {
        let names: [(JSONKind, [String])] = [
            (.null, ["null"]), (.boolean, ["boolean"]), (.number, ["integer", "number"]), (.string, ["string"]),
            (.array, ["array"]), (.object, ["object"]),
        ]
        return names.filter { contains($0.0) }.flatMap(\.1)
    }
}
