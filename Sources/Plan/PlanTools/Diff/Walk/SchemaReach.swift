internal import JSONSchema

/// The documents that a schema leads to, itself first.
struct SchemaReach {
    let library: SchemaLibrary
    private(set) var documents: [SchemaPlace]

    init(from root: SchemaPlace, in library: SchemaLibrary) {
        self.library = library
        documents = [root]
        var seen = [ObjectIdentifier(root.value.document)] as Set
        var next = 0
        while next < documents.count {
            let references = Self.all(documents[next]) { ["$ref", "$dynamicRef"].contains($0) }
            for (place, reference) in references {
                guard let text = reference.value.string, let target = library.follow(text, from: place) else {
                    continue
                }
                let document = target.value.document
                if seen.insert(ObjectIdentifier(document)).inserted { documents.append(SchemaPlace(root: document)) }
            }
            next += 1
        }
    }

    /// Every keyword of that kind, and the schema that it stands in.
    func all(_ isWanted: (String) -> Bool) -> [(schema: SchemaPlace, keyword: SchemaPlace)] {
        documents.flatMap { Self.all($0, isWanted) }
    }

    private static func all(
        _ place: SchemaPlace, _ isWanted: (String) -> Bool
    ) -> [(schema: SchemaPlace, keyword: SchemaPlace)] {
        guard place.value.kind == .object else { return place.elements.flatMap { all($0, isWanted) } }
        return place.members.flatMap { name, member in
            (isWanted(name) ? [(place, member)] : []) + all(member, isWanted)
        }
    }
}
