/// A plan that cannot be used.
public struct PlanError: Error, Sendable, CustomStringConvertible {
    /// What kind of fault it is.
    public struct Code: Hashable, Sendable {
        private let name: String

        /// There is no such folder.
        public static let noFolder = Code(name: "noFolder")
        /// There is no such revision, or no repository that could have one.
        public static let noRevision = Code(name: "noRevision")
        /// A file or folder cannot be read.
        public static let unreadable = Code(name: "unreadable")
        /// A file is no JSON, or no schema, or stands where no schema stands.
        public static let notASchema = Code(name: "notASchema")
    }

    /// What kind of fault it is.
    public let code: Code
    /// What is wrong and what to do, one fault a line.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
