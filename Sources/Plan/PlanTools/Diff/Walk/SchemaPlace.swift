internal import JSONSchema

/// A schema or a keyword where it is written.
struct SchemaPlace {
    let value: JSONDocument.Value
    /// The way to it from the start of its document.
    let pointer: JSONPointer
    /// The schema with an `$id` around it, which references that start with `#` lead into; the document's root else.
    let resource: JSONDocument.Value
    let resourcePointer: JSONPointer

    /// The start of a document.
    init(root document: JSONDocument) {
        value = document.root
        pointer = JSONPointer()
        resource = document.root
        resourcePointer = JSONPointer()
    }

    private init(
        value: JSONDocument.Value, pointer: JSONPointer, resource: JSONDocument.Value, resourcePointer: JSONPointer
    ) {
        self.value = value
        self.pointer = pointer
        self.resource = resource
        self.resourcePointer = resourcePointer
    }

    /// What stands under a name or an index; nil if nothing does.
    subscript(token: String) -> SchemaPlace? {
        let child: JSONDocument.Value?
        if value.kind == .array {
            let elements = value.elements
            child = Int(token).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
        } else {
            child = value[token]
        }
        guard let child else { return nil }
        let pointer = pointer.appending(token)
        guard child["$id"]?.string != nil, token != "properties", token != "$defs" else {
            return SchemaPlace(value: child, pointer: pointer, resource: resource, resourcePointer: resourcePointer)
        }
        return SchemaPlace(value: child, pointer: pointer, resource: child, resourcePointer: pointer)
    }

    /// The members of an object, as they stand there.
    var members: [(name: String, place: SchemaPlace)] {
        value.members.compactMap { member in self[member.name].map { (member.name, $0) } }
    }

    /// The elements of an array.
    var elements: [SchemaPlace] { value.elements.indices.compactMap { self[String($0)] } }

    /// What a JSON pointer leads to from the schema with the `$id`; nil if nothing stands there.
    func inResource(_ way: JSONPointer) -> SchemaPlace? {
        var place: SchemaPlace? = SchemaPlace(
            value: resource, pointer: resourcePointer, resource: resource, resourcePointer: resourcePointer)
        for token in way.tokens { place = place?[token] }
        return place
    }

    /// What it has in common with every other that is the same place of the same document.
    var key: Key { Key(document: ObjectIdentifier(value.document), pointer: pointer) }

    /// A place without what stands there.
    struct Key: Hashable {
        let document: ObjectIdentifier
        let pointer: JSONPointer
    }
}
