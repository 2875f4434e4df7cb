internal import JSONSchema

/// A value of a schema with the way that leads to it.
struct SchemaPlace {
    let value: JSONDocument.Value
    let pointer: JSONPointer

    /// The whole document.
    init(_ document: JSONDocument) { self.init(value: document.root, pointer: JSONPointer()) }

    init(value: JSONDocument.Value, pointer: JSONPointer) {
        self.value = value
        self.pointer = pointer
    }

    /// The member of that name.
    subscript(name: String) -> SchemaPlace? {
        value[name].map { SchemaPlace(value: $0, pointer: pointer.appending(name)) }
    }

    /// What a keyword of the schema says.
    subscript(keyword: SchemaKeyword) -> SchemaPlace? { self[keyword.rawValue] }

    /// What a pointer leads to, from the document's root.
    subscript(pointer: JSONPointer) -> SchemaPlace? {
        value[pointer: pointer.description].map { SchemaPlace(value: $0, pointer: pointer) }
    }

    /// The members as they stand there.
    var members: [(name: String, place: SchemaPlace)] {
        value.members.map { ($0.name, SchemaPlace(value: $0.value, pointer: pointer.appending($0.name))) }
    }

    var elements: [SchemaPlace] {
        value.elements.enumerated().map { index, value in
            SchemaPlace(value: value, pointer: pointer.appending("\(index)"))
        }
    }
}
