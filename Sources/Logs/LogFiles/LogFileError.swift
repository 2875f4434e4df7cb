internal import Foundation
package import Primitives

/// An error of reading or writing a log file: what failed, and what to do.
///
/// All complete lines before the error are passed on before it is thrown.
package struct LogFileError: LayerError {
    /// The kind of error. Later versions may add more.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String {
            case notFound, cannotRead, truncated, corrupt, isDatabase, ambiguous, cannotWrite
            case inUse, notAFile, exists, changed, interrupted
        }
        let kind: Kind

        /// The file does not exist.
        package static let notFound = Code(kind: .notFound)
        /// The file cannot be read: no permission, a folder, or a disk error.
        package static let cannotRead = Code(kind: .cannotRead)
        /// The gzip or zstd data ends before its end mark.
        package static let truncated = Code(kind: .truncated)
        /// The compressed data is damaged, or other bytes follow it.
        package static let corrupt = Code(kind: .corrupt)
        /// A folder may contain the same events twice.
        package static let ambiguous = Code(kind: .ambiguous)
        /// The file is an SQLite database, which has no lines.
        package static let isDatabase = Code(kind: .isDatabase)
        /// The file or its folder cannot be written: no permission, no space, or a disk error.
        package static let cannotWrite = Code(kind: .cannotWrite)
        /// Another process is writing the file.
        package static let inUse = Code(kind: .inUse)
        /// A folder or a device, which cannot be replaced by a file.
        package static let notAFile = Code(kind: .notAFile)
        /// An unfinished file of another run exists.
        package static let exists = Code(kind: .exists)
        /// The unfinished file to resume has changed.
        package static let changed = Code(kind: .changed)
        /// A signal interrupted the work.
        package static let interrupted = Code(kind: .interrupted)

        /// The code's name.
        package var description: String { kind.rawValue }
    }

    package let code: Code
    /// What failed and what to do, in one line. Never contains a line's content.
    package let message: String
    /// The source file that created the error.
    package let file: StaticString
    package let line: UInt

    init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    /// The error of truncated compressed data.
    static func brokenOff(_ name: String, file: StaticString = #fileID, line: UInt = #line) -> Self {
        let message = """
            the compressed data of \(name) ends too early: get a complete copy of the file; all lines before the end \
            were read
            """
        return Self(.truncated, message, file: file, line: line)
    }

    /// The error of damaged compressed data.
    ///
    /// - Parameter reason: The message of the compression library.
    static func damaged(
        _ name: String, _ reason: String, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        let message = """
            the compressed data of \(name) is damaged (\(reason)): get an intact copy of the file; all lines before \
            the damage were read
            """
        return Self(.corrupt, message, file: file, line: line)
    }

    /// The error of a failed write, by the system's error number.
    package static func writing(
        _ name: String, _ code: Int32 = errno, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        let message =
            switch code {
            case ENOSPC, EDQUOT: "cannot write \(name): no space left on the disk; free some and try again"
            case EACCES, EPERM, EROFS: "cannot write \(name): permission denied; check the permissions of its folder"
            case ENOENT, ENOTDIR: "cannot write \(name): no such folder; create it first"
            default: "cannot write \(name): \(String(cString: strerror(code)))"
            }
        return Self(.cannotWrite, message, file: file, line: line)
    }

    package var description: String { message }

    package var category: ErrorCategory {
        switch code.kind {
        case .notFound: .notFound
        case .truncated, .corrupt, .isDatabase, .changed: .invalidInput
        case .ambiguous, .notAFile, .exists: .usage
        case .inUse: .busy
        case .interrupted: .interrupted
        case .cannotRead, .cannotWrite: .inputOutput
        }
    }
}
