package import Primitives

/// Why a replay cannot do, or go on with, what it was asked for.
package struct ReplayError: LayerError {
    /// The kinds of error.
    package enum Code: Sendable {
        /// The file of a replay's state cannot be read.
        case cannotRead
        /// A file holds something other than the state of a replay, or than dead letters.
        case notOurs
        /// The state is that of a replay with other options.
        case otherReplay
        /// The events are not those of the run that left the state.
        case inputChanged
        /// More passes than can be counted.
        case tooManyPasses
        /// The sink does not answer.
        case unavailable
        /// The sink rejected events, and that is to stop the replay.
        case rejected
        /// The collector rejects the request, whatever events it has: the token, the URL or the install is the cause.
        case denied
    }

    package let code: Code
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The message.
    package var description: String { message }

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
