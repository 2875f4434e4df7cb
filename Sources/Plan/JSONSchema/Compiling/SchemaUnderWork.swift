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
        Self.fault(value, message, code: code, at: pointer)
    }

    static func fault(
        _ value: JSONDocument.Value, _ message: String, code: SchemaError.Code = .invalidKeyword, at location: String
    ) -> SchemaError {
        let (line, column) = value.document.position(ofOffset: value.offset)
        return SchemaError(code: code, message: "line \(line), column \(column): \(message)", location: location)
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
}
