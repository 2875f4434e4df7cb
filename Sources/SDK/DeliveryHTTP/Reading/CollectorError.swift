package import Primitives

/// The reason why a collector's page could not be read. Contains neither the token nor a URL's query.
package struct CollectorError: LayerError {
    package enum Code: Sendable {
        /// The token is unknown, or is not allowed to read.
        case unauthorized
        /// The collector rejects a parameter.
        case invalidQuery
        /// The server has no such page: it is not a collector, or an older version.
        case noSuchPage
        /// The collector does not know the install of the page.
        case unknownInstall
        /// No server responds at the address, or a secure connection cannot be made.
        case unreachable
        /// The collector is temporarily unavailable.
        case unavailable
        /// The response does not have the documented form.
        case invalidAnswer
        /// The task was canceled.
        case cancelled
    }

    package let code: Code
    package let message: String
    /// The wait that the server requests before the next request.
    package let retryAfter: Duration?

    init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Whether the same request may succeed later.
    package var isTransient: Bool { code == .unreachable || code == .unavailable }

    package var category: ErrorCategory {
        switch code {
        case .unauthorized, .invalidQuery: .usage
        case .noSuchPage, .unknownInstall: .notFound
        case .unreachable, .unavailable: .unavailable
        case .invalidAnswer: .invalidInput
        case .cancelled: .interrupted
        }
    }
}
