/// A set of schemas that can reference each other. Nothing is downloaded: add every referenced schema.
///
/// ```swift
/// var schemas = SchemaSet()
/// try schemas.add(JSONDocument(bytes), at: "https://example.org/order.json")
/// let order = try schemas.compile("https://example.org/order.json")
/// order.isValid(Array(#"{"items": 3}"#.utf8))
/// ```
///
/// Every set contains the meta-schema of draft 2020-12. A set is a value type: copies change independently.
public struct SchemaSet: Sendable {
    var index = ResourceIndex()

    /// Makes a set that contains the meta-schema.
    public init() {}

    /// Adds a document with all schemas in it.
    ///
    /// - Parameter uri: The URI of the document. An `$id`, resolved against it, is a second URI. You can pass a
    ///   relative URI if the document references no other document.
    /// - Throws: ``SchemaError`` with code `.duplicateIdentifier` or `.invalidKeyword`. After an error the set is
    ///   unchanged.
    public mutating func add(_ document: JSONDocument, at uri: String) throws(SchemaError) {
        var index = index
        try index.add(document, at: uri)
        self.index = index
    }

    /// Compiles the schema at a URI, with or without a fragment, and everything it references.
    ///
    /// - Throws: ``SchemaError``. Complexity: O(bytes of the schemas), plus the time to compile patterns.
    public func compile(_ uri: String, options: SchemaOptions = SchemaOptions()) throws(SchemaError) -> CompiledSchema {
        var builder = ProgramBuilder(index, options)
        return CompiledSchema(try builder.build(uri))
    }

    /// Compiles a self-contained schema.
    ///
    /// - Throws: ``SchemaError``, as ``add(_:at:)`` and ``compile(_:options:)``.
    public static func compile(
        _ document: JSONDocument, options: SchemaOptions = SchemaOptions()
    ) throws(SchemaError) -> CompiledSchema {
        var set = SchemaSet()
        try set.add(document, at: "schema:")
        return try set.compile("schema:", options: options)
    }
}
