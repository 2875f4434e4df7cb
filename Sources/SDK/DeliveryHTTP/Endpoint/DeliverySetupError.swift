package import Primitives

/// An invalid endpoint or key. Contains neither the key nor the URL's query.
public struct DeliverySetupError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        /// The text is not an absolute `https` URL.
        public static let malformedURL = Code(name: "malformedURL")
        /// The URL is `http`, and its host is not this device.
        public static let insecureURL = Code(name: "insecureURL")
        /// The key is not a valid bearer token.
        public static let invalidKey = Code(name: "invalidKey")

        /// The certificates to trust can't be read, or the system's HTTP client can't use a file of them.
        public static let invalidCertificates = Code(name: "invalidCertificates")

        /// The code's name.
        public var description: String { name }
    }

    /// The kind of error.
    public let code: Code
    /// What is wrong, and what to pass.
    public let message: String
    /// The source file that reported the error.
    public let file: StaticString
    /// The line in that file.
    public let line: UInt

    init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    /// The message.
    public var description: String { message }
}

extension DeliverySetupError: LayerError {
    package var category: ErrorCategory { .usage }
}
