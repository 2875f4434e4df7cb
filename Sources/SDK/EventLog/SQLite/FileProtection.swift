internal import Foundation

/// When Apple systems allow access to the log's files. Other systems ignore it.
public enum FileProtection: Hashable, Sendable {
    /// Always.
    case none
    /// After the first unlock since the device started. Background work continues while the screen is locked.
    case untilFirstUnlock
    /// While the device is unlocked. Open files stay accessible.
    case unlessOpen
}

/// File attributes of Apple systems.
package enum AppleFiles {
    /// Applies the options to those of a log's files that exist.
    ///
    /// - Throws: Foundation's errors.
    static func apply(_ options: SQLiteEventStore.Options, to files: [String]) throws {
        try protect(files, options.fileProtection, isExcludedFromBackup: options.isExcludedFromBackup)
    }

    /// Sets protection and backup exclusion for those of the files that exist.
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
