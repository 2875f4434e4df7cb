import FakeData
import JSONSchema

/// Generates values of a schema given as JSON.
func values(_ schema: String, _ count: Int = 100, seed: UInt64 = 7) throws -> [JSONDocument] {
    var set = SchemaSet()
    try set.add(JSONDocument(schema.utf8), at: "schema:")
    let stream = try ValueStream(set, at: "schema:", named: "order.json", seed: seed)
    let judge = try set.compile("schema:", options: SchemaOptions(assertsFormats: true))
    return try (0..<count).map { _ in
        try stream.withNext { bytes in
            guard judge.isValid(Array(bytes)) else { throw Invalid(text: String(decoding: bytes, as: UTF8.self)) }
            return try JSONDocument(bytes)
        }
    }
}

/// The strings generated from a schema.
func texts(_ schema: String, _ count: Int = 100, seed: UInt64 = 7) throws -> [String] {
    try values(schema, count, seed: seed).compactMap(\.root.string)
}

/// A generated value violates the schema.
struct Invalid: Error {
    let text: String
}

/// The reason why no value can be generated.
func refusal(_ schema: String) throws -> String {
    do {
        _ = try values(schema, 1)
        return "there is a value"
    } catch let error as FakeDataError {
        return error.message
    }
}
