package import Primitives

/// Why a collector's page could not be read. Holds neither the token nor a URL's query.
package struct CollectorError: LayerError {
    /// The kinds of error.
    package enum Code: Sendable {
        /// The collector does not know the token, or the token may not read.
        case unauthorized
        /// The collector rejects a parameter.
        case invalidQuery
        /// The server has no such page: it is no collector, or an older one.
        case noSuchPage
        /// The collector does not know the install that the page is about.
        case unknownInstall
        /// No server answers at the address, or no secure connection can be made.
        case unreachable
        /// The collector answers, but not now.
        case unavailable
        /// The answer is not what the page is documented to be.
        case invalidAnswer
        /// The task was cancelled.
        case cancelled
    }

    package let code: Code
    package let message: String
    /// How long the server asks to wait before the next request.
    package let retryAfter: Duration?

    init(_ code: Code, _ message: String, retryAfter: Duration? = nil) {
        self.code = code
        self.message = message
        self.retryAfter = retryAfter
    }

    /// Whether the same request may succeed later.
    package var isTransient: Bool { code == .unreachable || code == .unavailable }

    /// The message.
    package var description: String { message }

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
