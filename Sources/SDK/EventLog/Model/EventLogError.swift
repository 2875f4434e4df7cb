package import Primitives

/// An error of the event log: what happened, and what to do about it. Nothing stored is lost by any of them.
public struct EventLogError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String {
            case notFound, cannotOpen, notAnEventLog, newerVersion, inUse, diskFull, corrupt, io, closed
        }
        let kind: Kind

        /// There is no such file.
        public static let notFound = Code(kind: .notFound)
        /// The file or its folder cannot be opened or written.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The file is no SQLite database, or another program's.
        public static let notAnEventLog = Code(kind: .notAnEventLog)
        /// A newer version of this package wrote it; it was left untouched.
        public static let newerVersion = Code(kind: .newerVersion)
        /// Another instance, here or in another process, writes it.
        public static let inUse = Code(kind: .inUse)
        /// No space is left.
        public static let diskFull = Code(kind: .diskFull)
        /// The database is damaged.
        public static let corrupt = Code(kind: .corrupt)
        /// Any other failure to read or write.
        public static let io = Code(kind: .io)
        /// The log was closed.
        public static let closed = Code(kind: .closed)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// What happened and what to do, in a sentence. Holds no event's content.
    public let message: String
    /// The error underneath, if there is one.
    public let underlyingError: (any Error)?
    /// The source file that reported it.
    public let file: StaticString
    /// The line in that file.
    public let line: UInt

    init(
        _ code: Code, _ message: String, underlyingError: (any Error)? = nil,
        file: StaticString = #fileID, line: UInt = #line
    ) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
        self.file = file
        self.line = line
    }

    /// The message.
    public var description: String { message }
}

extension EventLogError: LayerError {
    package var category: ErrorCategory {
        switch code.kind {
        case .notFound: .notFound
        case .notAnEventLog, .newerVersion, .corrupt: .invalidInput
        case .inUse: .busy
        case .cannotOpen, .diskFull, .io, .closed: .inputOutput
        }
    }
}
