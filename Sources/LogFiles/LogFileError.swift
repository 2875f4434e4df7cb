/// An input that cannot be read, or not to its end: what happened, and what to do about it.
public struct LogFileError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The kinds of error.
    public enum Code: Sendable {
        /// There is no such file.
        case notFound
        /// The file cannot be opened or read.
        case cannotRead
        /// The compressed data ends too early or is damaged; every line before that was given.
        case damagedGzip
    }

    /// The kind of error.
    public let code: Code
    /// What happened and what to do, in a sentence.
    public let description: String
}
