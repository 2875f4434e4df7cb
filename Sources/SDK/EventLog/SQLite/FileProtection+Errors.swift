package import Foundation
internal import GRDB
internal import Primitives

extension FileProtection {
    /// Whether this system can keep a file unreadable until the device is unlocked. A Mac decrypts its disk before a program
    /// runs.
    package static let isEnforced: Bool = {
        #if (os(iOS) && !targetEnvironment(macCatalyst)) || os(tvOS) || os(watchOS) || os(visionOS)
            true
        #else
            false
        #endif
    }()

    /// Whether file protection has caused an error, so that the error goes away when the device is unlocked.
    ///
    /// | error | cause | goes away on unlock, where file protection is enforced |
    /// |---|---|---|
    /// | `EPERM` | the key of the file's protection class is not available; elsewhere an immutable file or a sandbox | yes |
    /// | `SQLITE_AUTH`, `SQLITE_IOERR_AUTH` | the same, as Apple's SQLite reports it | yes |
    /// | `CocoaError.fileReadNoPermission`, `.fileWriteNoPermission` | the underlying error | as that error; else yes |
    /// | `EACCES` | mode or owner of the file or a folder | no |
    /// | `ENOENT`, `ENOTDIR`, `EEXIST`, `ELOOP`, `EROFS` | the path | no |
    /// | `ENOSPC`, `EDQUOT`, `EIO`, `EMFILE` | the disk or the process | no: not by unlocking the device |
    /// | a damaged file, a database from a newer version | its content | no |
    ///
    /// - Parameter isEnforced: Whether the system enforces file protection.
    package static func isCause(of error: any Error, isEnforced: Bool = Self.isEnforced) -> Bool {
        guard isEnforced else { return false }
        switch error {
        case let error as EventLogError:
            return error.underlyingError.map { isCause(of: $0, isEnforced: isEnforced) } ?? false
        case let error as SystemError: return error.code == EPERM
        case let error as POSIXError: return error.code == .EPERM
        case let error as DatabaseError:
            return error.resultCode == .SQLITE_AUTH || error.extendedResultCode == .SQLITE_IOERR_AUTH
        case let error as CocoaError where error.code == .fileReadNoPermission || error.code == .fileWriteNoPermission:
            return error.errorNumber.map { $0 == EPERM } ?? true
        default: return false
        }
    }
}

extension CocoaError {
    /// The `errno` underneath; nil if there is none.
    package var errorNumber: CInt? {
        guard let error = underlying as NSError?, error.domain == NSPOSIXErrorDomain else { return nil }
        return CInt(exactly: error.code)
    }
}
