internal import Foundation
import GRDB
package import Primitives

/// An error of the event log. The message states the problem and what to do. No stored event is lost by any of these
/// errors.
public struct EventLogError: Error, Sendable, CustomStringConvertible {
    /// The kinds of error. A later version may add more.
    public struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String {
            case notFound, cannotOpen, notAnEventLog, newerVersion, inUse, diskFull, corrupt, io, closed, expired
            case consentUnknown
        }
        let kind: Kind

        /// The file does not exist.
        public static let notFound = Code(kind: .notFound)
        /// The file or its folder cannot be opened or written.
        public static let cannotOpen = Code(kind: .cannotOpen)
        /// The file is not an SQLite database, or belongs to another program.
        public static let notAnEventLog = Code(kind: .notAnEventLog)
        /// A newer version of this package wrote the file; it was not changed.
        public static let newerVersion = Code(kind: .newerVersion)
        /// Another instance, in this or another process, has the log open or locked.
        public static let inUse = Code(kind: .inUse)
        /// The disk is full.
        public static let diskFull = Code(kind: .diskFull)
        /// The database is damaged.
        public static let corrupt = Code(kind: .corrupt)
        /// Any other failure to read or write.
        public static let io = Code(kind: .io)
        /// The log is closed.
        public static let closed = Code(kind: .closed)

        /// The system has ended the app's background time, or grants none. Try again when the app is active.
        public static let expired = Code(kind: .expired)

        /// The person has not agreed, and nothing is stored before; see ``ConsentPolicy/Waiting``.
        public static let consentUnknown = Code(kind: .consentUnknown)

        /// The code's name.
        public var description: String { kind.rawValue }
    }

    /// The kind of error.
    public let code: Code
    /// What failed and what to do, in one line. Never contains the content of an event.
    public let message: String
    /// The underlying error, if there is one.
    public let underlyingError: (any Error)?
    /// The source file that threw the error.
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
        case .inUse, .expired, .consentUnknown: .busy
        case .cannotOpen, .diskFull, .io, .closed: .inputOutput
        }
    }
}

extension EventLogError {
    /// The error of an operation that waits for the person's answer.
    package static let consentUnknown = EventLogError(
        .consentUnknown,
        "nothing is stored until the person agrees; ask if consent.isAnswered is false, and call setConsent")

    /// The error of an operation that has no background time.
    package static func expired(_ path: String) -> Self {
        EventLogError(
            .expired, "cannot use \(path): the app's background time has ended; try again when the app is active")
    }

    /// Converts an error of SQLite, Foundation or the system to an error of the log.
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
                (.diskFull, "cannot write next to \(path): \(fullDisk)")
            case _ where DiskReserve.isFull(error):
                (.diskFull, "cannot write \(path): \(fullDisk)")
            case .SQLITE_NOTADB?:
                (.notAnEventLog, "cannot open \(path): not an SQLite database; choose another file or move it away")
            case .SQLITE_CORRUPT?:
                (
                    .corrupt,
                    "cannot read \(path): damaged database; copy it with its -wal file and run 'trackctl doctor --fix'"
                )
            case .SQLITE_TOOBIG?:
                (.corrupt, "cannot read \(path): a value has over 16 MiB, but no event is that long; check its origin")
            case .SQLITE_CANTOPEN?, .SQLITE_READONLY?, .SQLITE_PERM?, .SQLITE_AUTH?:
                (.cannotOpen, "cannot open \(path): check that its folder exists and is writable")
            case .SQLITE_BUSY?, .SQLITE_LOCKED?:
                (.inUse, "cannot lock \(path): another program has locked it; try again when that program is done")
            case .SQLITE_MISUSE?:
                (.closed, "the log \(path) is closed; open it again")
            default: (.io, "cannot read or write \(path): \(error)")
            }
        return EventLogError(code, message, underlyingError: error, file: file, line: line)
    }

    private static let fullDisk = "the disk is full; free space and try again; no stored event was lost"

    /// Names the log in the message. The internal file that failed is in the underlying error.
    private static func wrapping(_ error: SystemError, path: String, file: StaticString, line: UInt) -> Self {
        let (code, message): (Code, String) =
            switch error.code {
            case ENOSPC, EDQUOT:
                (.diskFull, "cannot write \(path): \(fullDisk)")
            case EACCES, EPERM, EROFS, ENOENT, ENOTDIR:
                (
                    .cannotOpen,
                    "cannot open \(path): check that its folder exists and is writable"
                )
            default: (.io, "\(error)")
            }
        return EventLogError(code, message, underlyingError: error, file: file, line: line)
    }
}
