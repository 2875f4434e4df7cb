/// An error that prevents a schema from being compiled.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// A keyword has a value that the meta-schema does not allow.
        public static let invalidKeyword = Code(name: "invalidKeyword")
        /// The target of a reference does not exist.
        public static let unresolvedReference = Code(name: "unresolvedReference")
        /// Schemas reference each other in a cycle for the same value.
        public static let referenceLoop = Code(name: "referenceLoop")
        /// A pattern is not a valid ECMA-262 regular expression.
        public static let invalidPattern = Code(name: "invalidPattern")
        /// The meta-schema requires an unknown vocabulary.
        public static let unknownVocabulary = Code(name: "unknownVocabulary")
        /// Two schemas have the same URI, or two anchors the same name.
        public static let duplicateIdentifier = Code(name: "duplicateIdentifier")
        /// A limit is exceeded: too many schemas, too large, or nested too deeply.
        public static let tooLarge = Code(name: "tooLarge")
    }

    /// The kind of error.
    public let code: Code
    /// The error and how to fix it.
    public let message: String
    /// The schema's URI with a JSON pointer as fragment, percent-encoded where necessary.
    public let location: String

    /// The location and the message.
    public var description: String { "\(location): \(message)" }
}
