internal import Foundation
import GRDB

extension EventLogError {
    /// An error of SQLite, in the log's words.
    static func wrapping(_ error: any Error, path: String, file: StaticString = #fileID, line: UInt = #line) -> Self {
        if let error = error as? EventLogError { return error }
        if let error = error as? SystemError { return .wrapping(error, path: path, file: file, line: line) }
        let (code, message): (Code, String) =
            switch (error as? DatabaseError)?.resultCode {
            case nil where (error as? CocoaError)?.code == .fileWriteOutOfSpace:
                (.diskFull, "no space is left beside \(path): free some and try again; nothing stored was lost")
            case .SQLITE_FULL?:
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
