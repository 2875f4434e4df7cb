internal import EventLog
internal import Foundation
internal import Primitives
internal import TrackingCore

/// The folder of a tracker's files. Nothing is looked up or created before ``make()``.
struct TrackingFolder: Sendable {
    /// The path that the app has passed; nil for the default.
    let path: String?

    /// Creates the folder unless it exists, with mode 0700.
    ///
    /// - Returns: Its path.
    /// - Throws: What keeps it from being created, or used: another owner, a symbolic link.
    func make() throws -> String {
        let path = try self.path ?? Self.standardPath()
        let parent = (path as NSString).deletingLastPathComponent
        // A name alone is a folder in the working directory.
        if !parent.isEmpty {
            try FileManager.default.createDirectory(
                atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        try PrivateFile.makeFolder(path)
        return path
    }

    private static func standardPath() throws -> String {
        #if canImport(Darwin)
            let folder = try FileManager.default.url(
                for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false
            ).path
            // Outside of a sandbox all programs of a user share the folder.
            let app = Bundle.main.bundleIdentifier ?? ProcessInfo.processInfo.processName
            return "\(folder)/\(app)/swift-tracking"
        #else
            return try dataFolder(of: ProcessInfo.processInfo.environment)
                + "/\(ProcessInfo.processInfo.processName)/swift-tracking"
        #endif
    }

    /// The folder of the user's data by the XDG Base Directory Specification:
    /// <https://specifications.freedesktop.org/basedir-spec/latest/>. Relative paths are ignored there.
    static func dataFolder(of environment: [String: String]) throws -> String {
        if let data = environment["XDG_DATA_HOME"], data.hasPrefix("/") { return data }
        guard let home = environment["HOME"], home.hasPrefix("/") else { throw MissingHome() }
        return (home == "/" ? "" : home) + "/.local/share"
    }
}

/// There is no default folder.
struct MissingHome: Error, CustomStringConvertible {
    let description =
        "cannot choose a folder for tracking: neither XDG_DATA_HOME nor HOME is set; pass Tracker.start(folder:)"
}

/// `tracking.json` in the folder of a tracker: opened at the first use, which is not on the thread that starts the tracker.
final class StorageInFolder: KeyValueStorage {
    private let folder: TrackingFolder
    private let storage = Locked<FileKeyValueStorage?>(nil)

    init(_ folder: TrackingFolder) { self.folder = folder }

    private func opened() throws -> FileKeyValueStorage {
        try storage.withLock { storage in
            if let storage { return storage }
            let opened = try FileKeyValueStorage(path: folder.make() + "/tracking.json")
            storage = opened
            return opened
        }
    }

    func string(forKey key: String) throws -> String? { try opened().string(forKey: key) }

    func set(_ value: String?, forKey key: String) throws { try opened().set(value, forKey: key) }
}
