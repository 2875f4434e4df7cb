package import Primitives

/// An error of the stream: what failed, on what, and what to do.
package struct StreamError: LayerError {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// No server answers, or the stream has no leader at the moment.
        case unavailable
        /// A server rejects the connection or a request.
        case rejected
        /// The servers are too old.
        case oldServer = "old-server"
        /// The stream does not exist.
        case noStream = "no-stream"
        /// The stream does not have the message, or no longer.
        case noMessage = "no-message"
        /// The stream exists with other settings.
        case settings
        /// A server address is invalid.
        case invalidAddress = "invalid-address"
        /// A message or a response has another form.
        case invalidMessage = "invalid-message"
        /// The stream has lost or replaced messages.
        case damaged
    }

    package let code: Code
    package let message: String
    package let underlyingError: (any Error)?

    package init(_ code: Code, _ message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
    }

    package var category: ErrorCategory {
        switch code {
        case .unavailable: .unavailable
        case .rejected, .oldServer, .settings, .invalidAddress: .usage
        case .noStream, .noMessage: .notFound
        case .invalidMessage, .damaged: .invalidInput
        }
    }
}
