internal import Foundation
package import Primitives

/// An error of reading or writing a log file: what failed, and what to do.
///
/// All complete lines before the error are passed on before it is thrown.
package struct LogFileError: LayerError {
    package enum Code: Hashable, Sendable {
        /// The file does not exist.
        case notFound
        /// The file cannot be read: no permission, a folder, or a disk error.
        case cannotRead
        /// The gzip or zstd data ends before its end mark.
        case truncated
        /// The compressed data is damaged, or other bytes follow it.
        case corrupt
        /// A folder may contain the same events twice.
        case ambiguous
        /// The file is an SQLite database, which has no lines.
        case isDatabase
        /// The file or its folder cannot be written: no permission, no space, or a disk error.
        case cannotWrite
        /// Another process is writing the file.
        case inUse
        /// A folder or a device, which cannot be replaced by a file.
        case notAFile
        /// An unfinished file of another run exists.
        case exists
        /// The unfinished file to resume has changed.
        case changed
        /// A signal interrupted the work.
        case interrupted
    }

    package let code: Code
    /// What failed and what to do, in one line. Never contains a line's content.
    package let message: String

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The error of truncated compressed data.
    static func brokenOff(_ name: String) -> Self {
        let message = """
            the compressed data of \(name) ends too early: get a complete copy of the file; all lines before the end \
            were read
            """
        return Self(.truncated, message)
    }

    /// The error of damaged compressed data.
    ///
    /// - Parameter reason: The message of the compression library.
    static func damaged(_ name: String, _ reason: String) -> Self {
        let message = """
            the compressed data of \(name) is damaged (\(reason)): get an intact copy of the file; all lines before \
            the damage were read
            """
        return Self(.corrupt, message)
    }

    /// The error of a failed write, by the system's error number.
    package static func writing(_ name: String, _ code: Int32 = errno) -> Self {
        let message =
            switch code {
            case ENOSPC, EDQUOT: "cannot write \(name): no space left on the disk; free some and try again"
            case EACCES, EPERM, EROFS: "cannot write \(name): permission denied; check the permissions of its folder"
            case ENOENT, ENOTDIR: "cannot write \(name): no such folder; create it first"
            default: "cannot write \(name): \(String(cString: strerror(code)))"
            }
        return Self(.cannotWrite, message)
    }

    package var category: ErrorCategory {
        switch code {
        case .notFound: .notFound
        case .truncated, .corrupt, .isDatabase, .changed: .invalidInput
        case .ambiguous, .notAFile, .exists: .usage
        case .inUse: .busy
        case .interrupted: .interrupted
        case .cannotRead, .cannotWrite: .inputOutput
        }
    }
}
