package import EventLog
internal import Foundation
package import Primitives

/// Storage in a small JSON file. Each change replaces the file atomically: after a crash, it has the old or the new
/// content.
///
/// Several processes, such as an app and its extensions, may use the file, as may several objects in one process. A
/// change reads the file again and changes only its own key. It waits up to 5 seconds for changes of other processes.
/// ``string(forKey:)`` may return a value from before another process's change, until this object changes a value.
///
/// A damaged file is copied to `<path>.damaged-1`, or the next free number, and replaced with an empty one.
public final class FileKeyValueStorage: SharedKeyValueStorage {
    /// The key of the damaged file's new name, which is stored when a damaged file is replaced. The values from before
    /// are lost as long as it is stored. Remove it in the ``update(_:)`` that restores them.
    package static let damagedFileKey = "damaged_file"

    private struct State {
        /// The values that were last read or stored; nil until the file can be read.
        var values: [String: String]?
        /// Rises with each change of `values`.
        var version = 0
        var damage: EventLogError?
        /// Whether the drafts of killed processes were removed.
        var isClean = false

        mutating func set(_ values: [String: String]) {
            self.values = values
            version += 1
        }
    }

    private struct Damage: Error {
        let bytes: [UInt8]
    }

    private let path: String
    private let files: any FileCalls
    private let read: @Sendable () throws -> [UInt8]
    private let lock: StorageLock
    private let state = Locked(State())

    /// Opens the file, or starts empty if there is none.
    ///
    /// After a restart, the system may refuse to read the file until the user unlocks the device. Each use then tries
    /// again, and throws until the file can be read.
    ///
    /// - Parameter path: The file's path. Its folder must exist.
    /// - Throws: An error if the file belongs to another user or is a link, and is therefore not changed, or if a damaged
    ///   file can't be replaced.
    public convenience init(path: String) throws {
        try self.init(path: path) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }

    /// Opens the file with another time to wait for other processes, for tests.
    package convenience init(path: String, timeout: Duration) throws {
        try self.init(path: path, timeout: timeout) { Array(try Data(contentsOf: URL(fileURLWithPath: path))) }
    }

    /// Opens the file with another reading function or other system calls, for tests.
    package init(
        path: String, files: any FileCalls = SystemCalls(toleratesUnsyncedFolders: true),
        timeout: Duration = .seconds(5), read: @escaping @Sendable () throws -> [UInt8]
    ) throws {
        self.path = path
        self.files = files
        self.read = read
        lock = StorageLock(for: path, timeout: timeout)
        do { _ = try contents() } catch CocoaError.fileReadNoPermission {}  // not yet
    }

    public func string(forKey key: String) throws -> String? {
        // Not read with the state locked, since other threads would wait for the disk.
        try (state.withLock { $0.values } ?? contents())[key]
    }

    public func set(_ value: String?, forKey key: String) throws { try update { $0[key] = value } }

    package func contents() throws -> [String: String] {
        let version = state.withLock { $0.version }
        do {
            let values = try stored()
            // If they changed meanwhile, the values that were read may be older.
            state.withLock { if $0.version == version { $0.set(values) } }
            return values
        } catch is Damage {
            return try lock.withLock {
                let values = try storedOrReplaced()
                state.withLock { $0.set(values) }
                return values
            }
        }
    }

    package func peek() throws -> [String: String] { try Self.peek(path) }

    /// Reads the values of a file without creating or changing it; see ``SharedKeyValueStorage/peek()``.
    package static func peek(_ path: String) throws -> [String: String] {
        let data: Data
        do { data = try Data(contentsOf: URL(fileURLWithPath: path)) } catch CocoaError.fileReadNoSuchFile {
            return [:]
        }
        // Damage is reported when the file is used.
        return (try? JSONDecoder().decode([String: String].self, from: data)) ?? [:]
    }

    package func update(_ change: (inout [String: String]) throws -> Void) throws {
        try lock.withLock {
            removeDrafts()
            let former = try storedOrReplaced()
            var values = former
            try change(&values)
            if values != former { try store(values) }
            state.withLock { $0.set(values) }
        }
    }

    package func takeDamage() -> EventLogError? {
        state.withLock { state in
            defer { state.damage = nil }
            return state.damage
        }
    }

    /// Reads the file.
    ///
    /// - Throws: ``Damage``; ``/EventLog/PrivateFile``'s errors; Foundation's errors.
    private func stored() throws -> [String: String] {
        try PrivateFile.tighten([path])
        let bytes: [UInt8]
        do { bytes = try read() } catch CocoaError.fileReadNoSuchFile { return [:] }
        do { return try JSONDecoder().decode([String: String].self, from: Data(bytes)) } catch {
            throw Damage(bytes: bytes)
        }
    }

    /// Reads the file, and replaces a damaged one. Call it with the lock held.
    private func storedOrReplaced() throws -> [String: String] {
        do { return try stored() } catch let damage as Damage {
            var number = 1
            while FileManager.default.fileExists(atPath: "\(path).damaged-\(number)") { number += 1 }
            let copy = "\(path).damaged-\(number)"
            // Copied, not renamed: a process that ends here leaves the damaged file, never a new user without any file.
            try files.replace(copy, with: damage.bytes, draft: draft())
            let values = [Self.damagedFileKey: (copy as NSString).lastPathComponent]
            try store(values)
            let error = EventLogError(
                .corrupt,
                """
                \(path) was damaged (\(damage.bytes.count) bytes, not a JSON object of strings): it was moved to \(copy), \
                and a new file is in use; you don't need to do anything, and may delete the damaged file
                """)
            state.withLock { $0.damage = error }
            return values
        }
    }

    private func store(_ values: [String: String]) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
        try files.replace(path, with: Array(encoder.encode(values)), draft: draft())
    }

    /// A new path, so that no other process writes the same draft, even if it could not see the lock.
    private func draft() -> String { "\(path)\(Self.draftMark)\(UUID().uuidString)" }

    private static let draftMark = ".new-"

    /// Removes the drafts of killed processes, once. Call it with the lock held, so that no process writes one.
    private func removeDrafts() {
        let isClean = state.withLock { state in
            defer { state.isClean = true }
            return state.isClean
        }
        guard !isClean else { return }
        let folder = (path as NSString).deletingLastPathComponent
        let prefix = (path as NSString).lastPathComponent + Self.draftMark
        for name in FolderNames.readable(in: folder.isEmpty ? "." : folder) where name.hasPrefix(prefix) {
            // One that can't be removed is retried when the file is opened again.
            try? files.remove((folder as NSString).appendingPathComponent(name))
        }
    }
}
