/// A schema that cannot be compiled.
public struct SchemaError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// A keyword has a value that its meta-schema does not allow.
        public static let invalidKeyword = Code(name: "invalidKeyword")
        /// A reference leads to nothing.
        public static let unresolvedReference = Code(name: "unresolvedReference")
        /// Schemas refer to each other in a circle without going on in the instance.
        public static let referenceLoop = Code(name: "referenceLoop")
        /// A pattern is none of ECMA-262.
        public static let invalidPattern = Code(name: "invalidPattern")
        /// A vocabulary is required that is not known.
        public static let unknownVocabulary = Code(name: "unknownVocabulary")
        /// Two schemas have one URI, or two anchors one name.
        public static let duplicateIdentifier = Code(name: "duplicateIdentifier")
        /// It is past a limit: too many schemas, too large, nested too deeply.
        public static let tooLarge = Code(name: "tooLarge")
    }

    /// What kind of fault it is.
    public let code: Code
    /// What is wrong.
    public let message: String
    /// The schema's URI with a JSON pointer as fragment, percent-encoded where it must be.
    public let location: String

    /// Location and message.
    public var description: String { "\(location): \(message)" }
}
