/// The reason why remote switches were not accepted, fetched or stored. The switches in effect stay in effect.
public struct SwitchesError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        /// The public key, the URL or the write key is invalid, or there is none.
        public static let invalidSetup = Code(name: "invalidSetup")
        /// This system has no signature verifier: pass one.
        public static let noVerifier = Code(name: "noVerifier")
        /// The document is signed with a key that the app does not list.
        public static let unknownKey = Code(name: "unknownKey")
        /// The signature does not belong to the document.
        public static let wrongSignature = Code(name: "wrongSignature")
        /// The document is not signed, not JSON, or violates its schema.
        public static let invalid = Code(name: "invalid")
        /// The document or the response exceeds its size limit.
        public static let tooLarge = Code(name: "tooLarge")
        /// The document's version is not higher than that of the switches that the app has.
        public static let older = Code(name: "older")
        /// The document expired before the app received it.
        public static let expired = Code(name: "expired")
        /// The document could not be fetched or read.
        public static let notFetched = Code(name: "notFetched")
        /// The document could not be stored. It is in effect until the process ends.
        public static let notStored = Code(name: "notStored")

        /// The code's name.
        public var description: String { name }
    }

    /// The kind of error.
    public let code: Code
    /// What happened, and what to do. Contains no key, and nothing of the document except versions and times.
    public let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }
}
