/// The error of a request that got no response. The server may have received the request nevertheless.
public struct DeliveryTransportError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        private let name: String

        /// No server accepts connections at the address.
        public static let cannotConnect = Code(name: "cannotConnect")
        /// The host name cannot be resolved.
        public static let unknownHost = Code(name: "unknownHost")
        /// TLS failed: the certificate is not trusted, has expired, or is for another host.
        public static let insecure = Code(name: "insecure")
        /// No data was acknowledged or received for ``DeliveryRequest/timeout``.
        public static let timedOut = Code(name: "timedOut")
        /// The connection ended before the response.
        public static let connectionLost = Code(name: "connectionLost")
        /// The received data is not an HTTP response.
        public static let malformed = Code(name: "malformed")
        /// The response exceeds a limit.
        public static let tooLarge = Code(name: "tooLarge")
        /// No network is available, or the policy forbids the available networks.
        public static let offline = Code(name: "offline")
        /// The task was canceled.
        public static let cancelled = Code(name: "cancelled")
        /// A person has denied consent to an event in the body. Sending has stopped.
        public static let denied = Code(name: "denied")
        /// Any other error.
        public static let other = Code(name: "other")

        /// The code's name.
        public var description: String { name }
    }

    /// The kind of error.
    public let code: Code
    /// What happened. Contains neither the URL nor the key, and no bytes of the request or the response.
    public let message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    public var description: String { message }

    static let cancelled = DeliveryTransportError(.cancelled, "the request was canceled")
    static let denied = DeliveryTransportError(.denied, "sending has stopped, because consent was denied")
    static func tooLong(_ count: Int) -> Self { .init(.tooLarge, "the response body is over \(count) bytes") }
    static let longHeader = DeliveryTransportError(
        .tooLarge,
        """
        the response header is over \(DeliveryRequest.maximumHeaderBytes) bytes or \
        \(DeliveryRequest.maximumFieldCount) fields
        """)
}
