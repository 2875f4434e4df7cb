internal import EventLog
internal import Foundation
internal import Primitives

/// The folder of a tracker's files. Nothing is looked up or created before ``make()``.
struct TrackingFolder: Sendable {
    /// The path that the app passes; nil for the default.
    let path: String?

    /// The folder's path, which need not exist.
    ///
    /// - Throws: ``MissingHome``.
    func name() throws -> String { try path ?? Self.standardPath() }

    /// Creates the folder unless it exists, with mode 0700.
    ///
    /// - Returns: Its path.
    /// - Throws: ``MissingHome``; ``/EventLog/EventLogError`` with ``/EventLog/EventLogError/Code/cannotOpen`` if the folder can't be
    ///   created or is unsafe: another owner, a symbolic link.
    func make() throws -> String {
        let path = try name()
        let parent = (path as NSString).deletingLastPathComponent
        do {
            // A relative name without a parent is in the working directory.
            if !parent.isEmpty {
                try FileManager.default.createDirectory(
                    atPath: parent, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            }
            try PrivateFile.makeFolder(path)
        } catch {
            throw TrackingFiles.error(
                error, failure: "cannot use the folder \(path)",
                advice: "pass another to TrackingConfiguration(folder:)")
        }
        return path
    }

    private static func standardPath() throws -> String {
        #if canImport(Darwin)
            let folder = try FileManager.default.url(
                for: .applicationSupportDirectory, in: .userDomainMask, appropriateFor: nil, create: false
            ).path
            // Outside a sandbox, all programs of a user share the folder.
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

/// No default folder can be determined.
struct MissingHome: Error, CustomStringConvertible {
    let description =
        "cannot choose a folder for tracking: neither XDG_DATA_HOME nor HOME is set; pass TrackingConfiguration(folder:)"
}

/// Errors of the files in a tracker's folder.
enum TrackingFiles {
    /// Makes an error that states what failed, why, and what to do. Contains no file content.
    ///
    /// - Parameters:
    ///   - failure: What failed, with a path.
    ///   - advice: What to do, unless the error itself has advice.
    static func error(_ error: any Error, failure: String, advice: String) -> EventLogError {
        let reason: String =
            switch error {
            case let error as PrivateFile.Refusal: error.description
            case let error as SystemError: text(of: error.code)
            case let error as POSIXError: text(of: error.code.rawValue)
            case let error as CocoaError:
                error.errorNumber.map(text(of:)) ?? "Cocoa error \(error.code.rawValue)"
            default: "\(type(of: error))"
            }
        // A refusal already states what failed on which path.
        let message = error is PrivateFile.Refusal ? "\(reason); \(advice)" : "\(failure): \(reason); \(advice)"
        return EventLogError(.cannotOpen, message, underlyingError: error)
    }

    private static func text(of code: CInt) -> String {
        switch code {
        case EACCES: "permission denied; run as the owner or change the mode"
        // createDirectory reports EEXIST for a file in the path.
        case EEXIST, ENOTDIR: "part of the path is a file"
        default: String(cString: strerror(code)).lowercased()
        }
    }
}
