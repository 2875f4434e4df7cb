internal import Foundation

/// When an Apple system lets the log's files be read and written. Other systems ignore it.
public enum FileProtection: Hashable, Sendable {
    /// Always.
    case none
    /// From the first unlocking after a restart on: background work goes on behind the lock screen.
    case untilFirstUnlock
    /// While the device is unlocked, and files that are open stay so.
    case unlessOpen
}

/// What Apple systems let a program say about its files.
package enum AppleFiles {
    /// Applies the options to a log's files, as far as they are there.
    ///
    /// - Throws: Foundation's errors.
    static func apply(_ options: SQLiteEventStore.Options, to files: [String]) throws {
        try protect(files, options.fileProtection, isExcludedFromBackup: options.isExcludedFromBackup)
    }

    /// Says when files may be used and whether backups have them, as far as they are there.
    ///
    /// - Throws: Foundation's errors.
    package static func protect(
        _ files: [String], _ fileProtection: FileProtection, isExcludedFromBackup: Bool
    ) throws {
        #if canImport(Darwin) || APPLE_STUBS
            let protection: FileProtectionType =
                switch fileProtection {
                case .none: .none
                case .untilFirstUnlock: .completeUntilFirstUserAuthentication
                case .unlessOpen: .completeUnlessOpen
                }
            for file in files where FileManager.default.fileExists(atPath: file) {
                try FileManager.default.setAttributes([.protectionKey: protection], ofItemAtPath: file)
                var url = URL(fileURLWithPath: file)
                var values = URLResourceValues()
                values.isExcludedFromBackup = isExcludedFromBackup
                try url.setResourceValues(values)
            }
        #endif
    }
}
