internal import JSONSchema

/// A schema as it is compared: behind a plain reference stands what it leads to.
struct SchemaView {
    /// Where it is written.
    let place: SchemaPlace
    private(set) var keywords: [String: SchemaPlace] = [:]
    /// The parts of `allOf`, and what references beside other keywords lead to.
    private(set) var parts: [SchemaPlace] = []
    /// The reference that cannot be followed.
    private(set) var openReference: SchemaPlace?

    /// Whether it takes nothing.
    var isFalse: Bool { place.value.boolean == false }

    init(_ place: SchemaPlace, in library: SchemaLibrary) {
        var place = place
        var notes: [String: SchemaPlace] = [:]
        // Notes beside a reference add to those of what it leads to.
        for _ in 0..<100 {
            let members = place.members
            let checks = members.filter { member in
                if case .note = KeywordShape(member.name) { false } else { true }
            }
            guard checks.count == 1, checks[0].name == "$ref", let reference = checks[0].place.value.string,
                let target = library.follow(reference, from: place)
            else { break }
            for member in members where member.name != "$ref" && notes[member.name] == nil {
                notes[member.name] = member.place
            }
            place = target
        }
        self.place = place
        keywords = Dictionary(place.members.map { ($0.name, $0.place) }) { first, _ in first }
        keywords.merge(notes) { _, outer in outer }
        parts = keywords.removeValue(forKey: "allOf")?.elements ?? []
        if let reference = keywords.removeValue(forKey: "$ref") {
            if let target = reference.value.string.flatMap({ library.follow($0, from: place) }) {
                parts.append(target)
            } else {
                openReference = reference
            }
        }
        openReference = keywords.removeValue(forKey: "$dynamicRef") ?? openReference
    }

    subscript(keyword: String) -> SchemaPlace? { keywords[keyword] }

    /// Whether further schemas may evaluate members or elements of the same value.
    var hasApplicators: Bool {
        !parts.isEmpty || openReference != nil
            || ["anyOf", "oneOf", "if", "then", "else", "dependentSchemas", "contains"].contains { keywords[$0] != nil }
    }
}
