/// The schema that a builder is at.
struct SchemaUnderWork {
    let number: Int
    let place: ResourceIndex.Place
    let value: JSONDocument.Value
    let members: [JSONDocument.Value.Member]
    let resource: Int
    let base: URIReference
    let dialect: Dialect
    /// The URI of the resource and the JSON pointer there.
    let pointer: String

    subscript(keyword: String) -> JSONDocument.Value? { members.first { $0.name == keyword }?.value }

    func fault(
        _ value: JSONDocument.Value, _ message: String, code: SchemaError.Code = .invalidKeyword
    ) -> SchemaError {
        let (line, column) = value.document.position(ofOffset: value.offset)
        return SchemaError(code: code, message: "line \(line), column \(column): \(message)", location: pointer)
    }

    /// A keyword's non-negative integer.
    func count(_ keyword: String) throws(SchemaError) -> Int64? {
        guard let value = self[keyword] else { return nil }
        guard value.kind == .number else {
            throw fault(value, "\(keyword) must be a whole number that is not negative")
        }
        let text = Array(value.source)
        let number: (isInteger: Bool, isNegative: Bool, integer: Int64?) = text.withUnsafeBufferPointer {
            let number = ExactNumber($0)
            return (number.isInteger, number.isNegative && !number.isZero, number.integer)
        }
        guard number.isInteger, !number.isNegative else {
            throw fault(value, "\(keyword) must be a whole number that is not negative")
        }
        return number.integer ?? .max
    }

    /// Where a value stands: its resource's URI, with a JSON pointer as fragment.
    func location(of value: JSONDocument.Value, in index: ResourceIndex) -> String {
        Self.location(of: ResourceIndex.Place(document: place.document, value: value.index), in: index)
    }

    static func location(of place: ResourceIndex.Place, in index: ResourceIndex) -> String {
        guard let resource = index.resource(at: place) else { return "" }
        let described = index.resources[resource]
        let document = index.documents[place.document]
        let root = described.root.document == place.document ? described.root.value : 0
        return described.uri.withoutFragment + "#" + document.pointer(from: root, to: place.value)
    }
}

extension JSONDocument {
    /// The JSON pointer from one value to another within it, as a URI's fragment holds it.
    func pointer(from root: Int, to target: Int) -> String {
        var pointer = ""
        var at = root
        while at != target {
            let value = Value(document: self, index: at)
            if value.kind == .object, let member = value.members.last(where: { $0.value.index <= target }) {
                pointer += "/" + JSONPointer.escape(member.name)
                at = member.value.index
            } else if value.kind == .array,
                let (place, element) = value.elements.enumerated().reversed().first(where: {
                    $0.element.index <= target
                })
            {
                pointer += "/\(place)"
                at = element.index
            } else {
                return pointer
            }
        }
        return pointer
    }
}
