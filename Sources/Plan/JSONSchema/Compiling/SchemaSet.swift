/// Schemas that can refer to each other. Nothing is ever fetched: what is referred to must have been added.
///
/// ```swift
/// var schemas = SchemaSet()
/// try schemas.add(JSONDocument(bytes), at: "https://example.org/order.json")
/// let order = try schemas.compile("https://example.org/order.json")
/// order.isValid(Array(#"{"items": 3}"#.utf8))
/// ```
///
/// The meta-schema of draft 2020-12 is in every set. A set is a value: copies change on their own.
public struct SchemaSet: Sendable {
    var index = ResourceIndex()

    /// Makes a set that holds the meta-schema.
    public init() {}

    /// Adds a document with all schemas in it.
    ///
    /// - Parameter uri: Where it is found; its `$id`, resolved against this, is a second name. A relative URI is fine for
    ///   one that refers to nothing outside.
    /// - Throws: ``SchemaError`` with code `.duplicateIdentifier` or `.invalidKeyword`; the set is then as it was.
    public mutating func add(_ document: JSONDocument, at uri: String) throws(SchemaError) {
        var index = index
        try index.add(document, at: uri)
        self.index = index
    }

    /// Compiles the schema of that URI, with a fragment or without, and everything it refers to.
    ///
    /// - Throws: ``SchemaError``. Complexity: O(bytes of the schemas), but patterns take what they take.
    public func compile(_ uri: String, options: SchemaOptions = SchemaOptions()) throws(SchemaError) -> CompiledSchema {
        var builder = ProgramBuilder(index, options)
        return CompiledSchema(try builder.build(uri))
    }

    /// Compiles a schema that stands alone.
    ///
    /// - Throws: ``SchemaError``, as ``add(_:at:)`` and ``compile(_:options:)`` do.
    public static func compile(
        _ document: JSONDocument, options: SchemaOptions = SchemaOptions()
    ) throws(SchemaError) -> CompiledSchema {
        var set = SchemaSet()
        try set.add(document, at: "schema:")
        return try set.compile("schema:", options: options)
    }
}
