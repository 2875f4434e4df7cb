internal import EventLog
internal import Foundation
package import Primitives

/// Storage in a small JSON file. Each change replaces the file atomically: after a crash, it has the old or the new
/// content.
///
/// Use the file in one process at a time.
public final class FileKeyValueStorage: KeyValueStorage {
    private let path: String
    private let files: any FileCalls
    private let read: @Sendable () throws -> [UInt8]
    /// nil until the file can be read.
    private let values: Locked<[String: String]?>

    /// Opens the file, or starts empty if there is none.
    ///
    /// After a restart, the system may refuse to read the file until the user unlocks the device. Each use then tries
    /// again, and throws until the file can be read.
    ///
    /// - Parameter path: The file's path. Its folder must exist.
    /// - Throws: An error if the file exists but is damaged, belongs to another user, or is a link. The file is not
    ///   changed.
    public convenience init(path: String) throws {
        try self.init(path: path) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }

    /// Opens the file with another reading function or other system calls, for tests.
    package init(
        path: String, files: any FileCalls = SystemCalls(toleratesUnsyncedFolders: true),
        read: @escaping @Sendable () throws -> [UInt8]
    ) throws {
        self.path = path
        self.files = files
        self.read = read
        values = Locked([:])
        guard FileManager.default.fileExists(atPath: path) else { return }
        try PrivateFile.tighten([path])
        values.withLock { $0 = nil }
        do { _ = try loaded() } catch CocoaError.fileReadNoPermission {}  // not yet
    }

    /// Loads the values. Call it under the lock.
    private func load(_ values: inout [String: String]?) throws -> [String: String] {
        if let values { return values }
        let read = try JSONDecoder().decode([String: String].self, from: Data(self.read()))
        values = read
        return read
    }

    private func loaded() throws -> [String: String] { try values.withLock { try load(&$0) } }

    public func string(forKey key: String) throws -> String? { try loaded()[key] }

    public func set(_ value: String?, forKey key: String) throws {
        try values.withLock { values in
            let former = try load(&values)
            var changed = former
            changed[key] = value
            guard changed != former else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            try files.replace(path, with: Array(encoder.encode(changed)), draft: path + ".new")
            values = changed
        }
    }
}
