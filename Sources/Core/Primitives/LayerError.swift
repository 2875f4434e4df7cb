/// The error of a library layer: a code, a message with advice, and the underlying error.
///
/// Each layer has one such struct. Callers that can recover check the ``code``; command-line tools derive their exit
/// status from the ``category``, so layers don't depend on exit codes.
package protocol LayerError: Error, Sendable, CustomStringConvertible {
    associatedtype Code: Hashable, Sendable

    var code: Code { get }
    /// What failed, on what, and what to do. Contains no event content.
    var message: String { get }
    /// The underlying error, if there is one.
    var underlyingError: (any Error)? { get }
    /// What the caller can do about errors of this code.
    var category: ErrorCategory { get }
}

extension LayerError {
    package var underlyingError: (any Error)? { nil }
    package var description: String { message }
}

/// What the caller can do about an error, whichever layer it comes from.
package enum ErrorCategory: Hashable, Sendable, CaseIterable {
    /// Part of the work is done, and the rest was rejected: check the rejected part.
    case partial
    /// The request is invalid: change it.
    case usage
    /// An input is invalid: correct it or pass another one.
    case invalidInput
    /// An input does not exist: check its name.
    case notFound
    /// A service does not respond: try again later.
    case unavailable
    /// A file cannot be read or written: check permissions and space.
    case inputOutput
    /// Another process uses a resource: try again when it has ended.
    case busy
    /// A signal interrupted the work: run it again.
    case interrupted
}
