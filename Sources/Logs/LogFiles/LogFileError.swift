internal import Foundation
package import Primitives

/// An error of reading or writing a log file: what happened, and what to do about it.
///
/// The lines before the fault were passed on before it is thrown.
package struct LogFileError: LayerError {
    /// The kinds of error. A later version may add more.
    package struct Code: Hashable, Sendable, CustomStringConvertible {
        enum Kind: String {
            case notFound, cannotRead, truncated, corrupt, isDatabase, ambiguous, cannotWrite
            case inUse, notAFile, exists, changed, interrupted
        }
        let kind: Kind

        /// There is no such file.
        package static let notFound = Code(kind: .notFound)
        /// The file is there but cannot be read: no permission, a folder, a failing disk.
        package static let cannotRead = Code(kind: .cannotRead)
        /// The compressed data, by gzip or zstd, ends before its end mark.
        package static let truncated = Code(kind: .truncated)
        /// The compressed data is damaged, or other bytes follow it.
        package static let corrupt = Code(kind: .corrupt)
        /// A folder holds what may be the same events twice.
        package static let ambiguous = Code(kind: .ambiguous)
        /// The file is an SQLite database, which has no lines.
        package static let isDatabase = Code(kind: .isDatabase)
        /// The file or its folder cannot be written: no permission, no space, a failing disk.
        package static let cannotWrite = Code(kind: .cannotWrite)
        /// Another process is writing the file.
        package static let inUse = Code(kind: .inUse)
        /// A folder or a device, which no file may replace.
        package static let notAFile = Code(kind: .notAFile)
        /// An unfinished file of the name, which another run left, is there already.
        package static let exists = Code(kind: .exists)
        /// The unfinished file to resume is not what the earlier run left.
        package static let changed = Code(kind: .changed)
        /// A signal has ended the work.
        package static let interrupted = Code(kind: .interrupted)

        /// The code's name.
        package var description: String { kind.rawValue }
    }

    /// The kind of error.
    package let code: Code
    /// What happened and what to do, in a sentence. Holds no line's content.
    package let message: String
    /// The source file that reported it.
    package let file: StaticString
    /// The line in that file.
    package let line: UInt

    init(_ code: Code, _ message: String, file: StaticString = #fileID, line: UInt = #line) {
        self.code = code
        self.message = message
        self.file = file
        self.line = line
    }

    /// Compressed data that ends before its end mark.
    static func brokenOff(_ name: String, file: StaticString = #fileID, line: UInt = #line) -> Self {
        let message = """
            the compressed data of \(name) breaks off before its end: get the file again from where it came from; the \
            lines before the break were read
            """
        return Self(.truncated, message, file: file, line: line)
    }

    /// Compressed data that is wrong.
    ///
    /// - Parameter reason: The library's.
    static func damaged(
        _ name: String, _ reason: String, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        let message = """
            the compressed data of \(name) is damaged (\(reason)): get the file again from where it came from; the lines \
            before the damage were read
            """
        return Self(.corrupt, message, file: file, line: line)
    }

    /// A file that cannot be written, by the number that the system gave.
    package static func writing(
        _ name: String, _ code: Int32 = errno, file: StaticString = #fileID, line: UInt = #line
    ) -> Self {
        let message =
            switch code {
            case ENOSPC, EDQUOT: "no space is left for \(name): free some and try again"
            case EACCES, EPERM, EROFS: "\(name) cannot be written: check that you may write in its folder"
            case ENOENT, ENOTDIR: "\(name) cannot be written: make its folder first"
            default: "\(name) cannot be written: \(String(cString: strerror(code)))"
            }
        return Self(.cannotWrite, message, file: file, line: line)
    }

    /// The message.
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
