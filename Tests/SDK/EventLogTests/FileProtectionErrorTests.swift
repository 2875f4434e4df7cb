import Foundation
import GRDB
import Primitives
import Testing

@testable import EventLog

/// Which errors pass when the device is unlocked.
@Suite("Errors of file protection")
struct FileProtectionErrorTests {
    private static func cocoa(_ code: CocoaError.Code, _ underlying: POSIXErrorCode? = nil) -> CocoaError {
        CocoaError(
            code,
            userInfo: underlying.map {
                [NSUnderlyingErrorKey: NSError(domain: NSPOSIXErrorDomain, code: Int($0.rawValue))]
            } ?? [:])
    }

    private static let passing: [any Error] = [
        SystemError("open", code: EPERM, path: "events.sqlite"), POSIXError(.EPERM),
        DatabaseError(resultCode: .SQLITE_AUTH), DatabaseError(resultCode: .SQLITE_IOERR_AUTH),
        cocoa(.fileReadNoPermission), cocoa(.fileReadNoPermission, .EPERM), cocoa(.fileWriteNoPermission, .EPERM),
    ]

    private static let lasting: [any Error] = [
        SystemError("open", code: EACCES, path: "events.sqlite"), POSIXError(.EACCES), POSIXError(.ENOSPC),
        SystemError("mkdir", code: ENOTDIR, path: "tracking"), SystemError("open", code: EIO, path: "events.sqlite"),
        PrivateFile.Refusal(description: "it is no folder"), DatabaseError(resultCode: .SQLITE_IOERR),
        DatabaseError(resultCode: .SQLITE_CANTOPEN), cocoa(.fileReadNoPermission, .EACCES),
        cocoa(.fileReadCorruptFile), EventLogError(.newerVersion, "a newer version wrote it"),
    ]

    @Test("where files are protected, a refusal passes; bare, or in an error of the log", arguments: passing)
    func passes(error: any Error) {
        #expect(FileProtection.isCause(of: error, isEnforced: true))
        #expect(FileProtection.isCause(of: EventLogError.wrapping(error, path: "events.sqlite"), isEnforced: true))
        #expect(!FileProtection.isCause(of: error, isEnforced: false))
    }

    @Test("permissions, paths, disks and contents do not pass", arguments: lasting)
    func lasts(error: any Error) {
        #expect(!FileProtection.isCause(of: error, isEnforced: true))
        #expect(!FileProtection.isCause(of: EventLogError.wrapping(error, path: "events.sqlite"), isEnforced: true))
    }

    #if os(Linux) || os(macOS)
        @Test("no file waits for a device to be unlocked here")
        func notHere() { #expect(!FileProtection.isEnforced) }
    #endif
}
