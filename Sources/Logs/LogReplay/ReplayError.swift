package import Primitives

package struct ReplayError: LayerError {
    package enum Code: Sendable {
        /// The state file cannot be read.
        case cannotRead
        /// A file has content other than a replay's state, or than dead letters.
        case notOurs
        /// The state belongs to a replay with other options.
        case otherReplay
        /// The events differ from those of the run that wrote the state.
        case inputChanged
        /// The number of passes is too large.
        case tooManyPasses
        /// The sink does not respond.
        case unavailable
        /// The sink rejected events, and the rule is to stop.
        case rejected
        /// The collector rejects the request because of the token, the URL or the install.
        case denied
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    package var category: ErrorCategory {
        switch code {
        case .cannotRead: .inputOutput
        case .notOurs, .otherReplay, .inputChanged: .invalidInput
        case .tooManyPasses, .denied: .usage
        case .unavailable: .unavailable
        case .rejected: .partial
        }
    }
}
