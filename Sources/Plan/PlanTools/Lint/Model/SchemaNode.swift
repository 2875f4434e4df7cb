internal import JSONSchema

/// A subschema where it stands: what rules look at.
struct SchemaNode: Sendable {
    /// What a subschema is for the one around it.
    enum Role: Hashable, Sendable {
        /// The outermost schema of a file.
        case root
        /// The schema of a member of that name.
        case property(String)
        /// A schema in `$defs`, which says nothing where it stands.
        case definition(String)
        /// The schema of array elements, or of members whose names are not listed.
        case element
        /// A schema of the very value that the one around it describes: in `allOf`, `if` …
        case inPlace
        /// The schema of names, or of what a string holds.
        case aside
    }

    /// The file within the folder.
    let path: String
    /// The way to it within the file.
    let pointer: JSONPointer
    /// An object, or `true` or `false`.
    let value: JSONDocument.Value
    /// What it is for the subschema around it.
    let role: Role
    /// Whether it is a property that the schema around it requires.
    let isRequired: Bool
    /// The place of the subschema around it; nil for the outermost.
    let around: SchemaReferences.Place?
    /// The keyword of that subschema that it stands in; empty for the outermost.
    let keyword: String
    /// The URI that references within it are resolved against.
    let base: String

    /// The value of a keyword.
    subscript(keyword: String) -> JSONDocument.Value? { value[keyword] }

    /// The value that a way leads to.
    subscript(path way: String...) -> JSONDocument.Value? {
        way.reduce(value) { $0?[$1] }
    }

    /// The types that the keyword `type` lists.
    var types: [String] {
        guard let type = self["type"] else { return [] }
        return type.string.map { [$0] } ?? type.elements.compactMap(\.string)
    }

    /// The place as messages name it: the property's name where there is one.
    var label: String {
        switch role {
        case .property(let name): name
        case .definition(let name): "$defs/\(name)"
        case .root: "the schema"
        default: pointer.description
        }
    }

    /// Whether it lists the values it takes.
    var isListed: Bool { self["enum"] != nil || self["const"] != nil }

    /// Whether no member is taken that is not listed.
    var isClosed: Bool {
        self["additionalProperties"]?.boolean == false || self["unevaluatedProperties"]?.boolean == false
    }

    /// Why it is open on purpose, if it says so.
    var openReason: String? { self["x-open"]?.string.flatMap { $0.isEmpty ? nil : $0 } }
}
