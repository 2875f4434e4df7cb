internal import Foundation
internal import GRDB
package import Primitives

/// An error of the collector's store: what failed, on what, and what to do. No error loses acknowledged events.
package struct StoreError: LayerError {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        /// Another collector has the folder open.
        case inUse = "in-use"
        /// A file or folder cannot be opened, or is accessible to other users.
        case cannotOpen = "cannot-open"
        /// A newer version wrote the folder; it was not changed.
        case newerVersion = "newer-version"
        /// The folder, or a segment in it, belongs to another collector.
        case foreign
        /// The disk is full.
        case diskFull = "disk-full"
        /// Writing or syncing a segment failed.
        case writeFailed = "write-failed"
        /// The index cannot be read or written.
        case indexFailed = "index-failed"
        /// Too many submissions wait in memory.
        case overloaded
        /// The store was closed.
        case closed
        /// A submission is inconsistent: an error of the caller.
        case invalidSubmission = "invalid-submission"
        /// Deciding about a submission needs more reading and writing of the index than the limit.
        case tooMuchWork = "too-much-work"
        /// Bytes on the disk are damaged.
        case damaged
    }

    package let code: Code
    /// What failed, on what, and what to do. Contains no data of events.
    package let message: String
    /// The underlying error, if any.
    package let underlyingError: (any Error)?

    package init(_ code: Code, _ message: String, underlyingError: (any Error)? = nil) {
        self.code = code
        self.message = message
        self.underlyingError = underlyingError
    }

    package var category: ErrorCategory {
        switch code {
        case .inUse: .busy
        case .overloaded, .closed: .unavailable
        case .invalidSubmission, .tooMuchWork: .usage
        case .newerVersion, .foreign, .damaged: .invalidInput
        case .cannotOpen, .diskFull, .writeFailed, .indexFailed: .inputOutput
        }
    }
}

extension StoreError {
    /// An error while opening or reading a file of the folder.
    static func opening(_ path: String, _ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        if isFull(error) { return full(path, error) }
        return StoreError(
            .cannotOpen, "cannot open \(path): \(error); check its owner and permissions",
            underlyingError: error)
    }

    /// An error while writing or syncing a segment.
    static func writing(_ path: String, _ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        if isFull(error) { return full(path, error) }
        return StoreError(
            .writeFailed, "cannot write \(path): \(error); the batch was not stored; resend it",
            underlyingError: error)
    }

    /// An error while copying the store. The store itself is unaffected.
    static func backingUp(_ path: String, _ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        return StoreError(
            .writeFailed,
            "cannot write the backup \(path): \(error); remove the incomplete copy, and choose another folder",
            underlyingError: error)
    }

    static func index(_ path: String, _ error: any Error) -> StoreError {
        if let error = error as? StoreError { return error }
        if isFull(error) { return full(path, error) }
        return StoreError(
            .indexFailed,
            "cannot use the index \(path): \(error); the collector rebuilds a damaged index from the segments",
            underlyingError: error)
    }

    private static func full(_ path: String, _ error: any Error) -> StoreError {
        StoreError(
            .diskFull, "cannot write \(path): no space left; free space or shorten the retention",
            underlyingError: error)
    }

    private static func isFull(_ error: any Error) -> Bool {
        if let error = error as? SystemError { return error.code == ENOSPC || error.code == EDQUOT }
        return (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    }
}
