internal import EventLog
internal import Primitives
internal import TrackingCore

/// `tracking.json` in the folder of a tracker. Opened at the first use, which is not on the thread that starts the
/// tracker.
final class StorageInFolder: SharedKeyValueStorage {
    private let folder: TrackingFolder
    private let storage = Locked<(folder: String, file: FileKeyValueStorage)?>(nil)

    init(_ folder: TrackingFolder) { self.folder = folder }

    private func opened() throws -> (folder: String, file: FileKeyValueStorage) {
        try storage.withLock { storage in
            if let storage { return storage }
            let folder = try folder.make()
            let opened = try named(folder) { try FileKeyValueStorage(path: $0) }
            storage = (folder, opened)
            return (folder, opened)
        }
    }

    /// Performs an operation on the file in a folder, and adds the file's path to errors.
    private func named<Result>(_ folder: String, _ body: (_ path: String) throws -> Result) throws -> Result {
        let path = folder + "/tracking.json"
        do { return try body(path) } catch let error as EventLogError { throw error } catch {
            throw TrackingFiles.error(
                error, failure: "cannot use \(path)",
                advice: "move it away to start with a new device id, or pass another folder")
        }
    }

    private func use<Result>(_ body: (FileKeyValueStorage) throws -> Result) throws -> Result {
        let (folder, storage) = try opened()
        return try named(folder) { _ in try body(storage) }
    }

    func string(forKey key: String) throws -> String? { try use { try $0.string(forKey: key) } }

    func set(_ value: String?, forKey key: String) throws { try use { try $0.set(value, forKey: key) } }

    func peek() throws -> [String: String] {
        let folder = try folder.name()
        return try named(folder) { try FileKeyValueStorage.peek($0) }
    }

    func contents() throws -> [String: String] { try use { try $0.contents() } }

    func update(_ change: (inout [String: String]) throws -> Void) throws { try use { try $0.update(change) } }

    func takeDamage() -> EventLogError? { storage.withLock { $0?.file.takeDamage() } }
}
