/// The error of a library layer: a code, a message that says what to do, and the error underneath.
///
/// Each layer has one such struct. A caller that can go on looks at the ``code``; a command line makes its exit status
/// of the ``category``, so that no layer knows of exit codes.
package protocol LayerError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error of the layer.
    associatedtype Code: Hashable, Sendable

    /// The kind of error.
    var code: Code { get }
    /// What failed, on what, and what to do. Holds no event's content.
    var message: String { get }
    /// The error underneath, if there is one.
    var underlyingError: (any Error)? { get }
    /// What the caller can do about errors of this code.
    var category: ErrorCategory { get }
}

extension LayerError {
    package var underlyingError: (any Error)? { nil }
}

/// What the caller can do about an error, whatever layer it comes from.
package enum ErrorCategory: Hashable, Sendable, CaseIterable {
    /// Part of the work was done, the rest was rejected: look at what was rejected.
    case partial
    /// The request makes no sense as it is: ask for something else.
    case usage
    /// An input was read and is invalid: mend it, or name another one.
    case invalidInput
    /// There is no such input: check its name.
    case notFound
    /// A service does not answer: try again later.
    case unavailable
    /// A file cannot be read or written: check permissions and space.
    case inputOutput
    /// Another process uses what is needed: try again when it has ended.
    case busy
    /// A signal has ended the work: run it again.
    case interrupted
}
