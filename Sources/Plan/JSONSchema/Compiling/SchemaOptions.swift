/// How schemas are compiled.
public struct SchemaOptions: Hashable, Sendable {
    /// Whether `format` is checked; else it is an annotation, as the standard has it by default. A meta-schema with
    /// the vocabulary format-assertion, required or not, turns it on for its schemas.
    public var assertsFormats: Bool
    /// How many schemas, subschemas included, one program may have: 100,000 unless set.
    public var maximumSchemas: Int
    /// Names of members of the outermost object whose values a validator finds on its way
    /// (``SchemaValidator/captured(_:)``); at most 8.
    public var captures: [String]

    /// Makes options.
    public init(assertsFormats: Bool = false, maximumSchemas: Int = 100_000, captures: [String] = []) {
        self.assertsFormats = assertsFormats
        self.maximumSchemas = maximumSchemas
        self.captures = Array(captures.prefix(8))
    }
}
