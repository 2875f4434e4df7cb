internal import Foundation
import GRDB
package import Primitives

/// An error of the event log: what happened, and what to do about it. Nothing stored is lost by any of them.
public struct EventLogError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String {
            case notFound, cannotOpen, notAnEventLog, newerVersion, inUse, diskFull, corrupt, io, closed, expired
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

        /// The system has ended the app's background time, or gives none: try again when the app is active.
        public static let expired = Code(kind: .expired)

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

    package init(
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
        case .inUse, .expired: .busy
        case .cannotOpen, .diskFull, .io, .closed: .inputOutput
        }
    }
}

extension EventLogError {
    /// What a log answers while it must not work.
    package static func expired(_ path: String) -> Self {
        EventLogError(
            .expired, "the system has ended the background time for \(path): try again when the app is active")
    }

    /// An error of SQLite, in the log's words.
    package static func wrapping(_ error: any Error, path: String, file: StaticString = #fileID, line: UInt = #line)
        -> Self
    {
        if let error = error as? EventLogError { return error }
        if let error = error as? PrivateFile.Refusal {
            return EventLogError(.cannotOpen, error.description, underlyingError: error, file: file, line: line)
        }
        if let error = error as? SystemError { return .wrapping(error, path: path, file: file, line: line) }
        let (code, message): (Code, String) =
            switch (error as? DatabaseError)?.resultCode {
            case nil where (error as? CocoaError)?.code == .fileWriteOutOfSpace:
                (.diskFull, "no space is left beside \(path): free some and try again; nothing stored was lost")
            case _ where DiskReserve.isFull(error):
                (.diskFull, "no space is left for \(path): free some and try again; nothing stored was lost")
            case .SQLITE_NOTADB?:
                (.notAnEventLog, "\(path) is not an SQLite database: name another file, or move this one away")
            case .SQLITE_CORRUPT?:
                (.corrupt, "\(path) is damaged: copy it with its -wal file, then run 'trackctl doctor --fix'")
            case .SQLITE_CANTOPEN?, .SQLITE_READONLY?, .SQLITE_PERM?, .SQLITE_AUTH?:
                (.cannotOpen, "\(path) cannot be opened: check that its folder exists and that you may write there")
            case .SQLITE_BUSY?, .SQLITE_LOCKED?:
                (.inUse, "\(path) is locked by another program: try again when that is done")
            case .SQLITE_MISUSE?:
                (.closed, "the log \(path) was closed: open it again")
            default: (.io, "\(path) cannot be read or written: \(error)")
            }
        return EventLogError(code, message, underlyingError: error, file: file, line: line)
    }

    /// Names the log, not the file beside it that people never hear of; that stands in the underlying error.
    private static func wrapping(_ error: SystemError, path: String, file: StaticString, line: UInt) -> Self {
        let (code, message): (Code, String) =
            switch error.code {
            case ENOSPC, EDQUOT:
                (.diskFull, "no space is left for \(path): free some and try again; nothing stored was lost")
            case EACCES, EPERM, EROFS, ENOENT, ENOTDIR:
                (
                    .cannotOpen,
                    "\(path) cannot be opened: check that its folder exists and that you may write there"
                )
            default: (.io, "\(error)")
            }
        return EventLogError(code, message, underlyingError: error, file: file, line: line)
    }
}
