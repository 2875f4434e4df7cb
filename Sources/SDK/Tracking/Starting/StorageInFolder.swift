internal import Primitives
internal import TrackingCore

/// `tracking.json` in the folder of a tracker. Opened at the first use, which is not on the thread that starts the
/// tracker.
final class StorageInFolder: KeyValueStorage {
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
        do { return try body(path) } catch {
            throw TrackingFiles.error(
                error, failure: "cannot use \(path)",
                advice: "move it away to start with a new device id, or pass another folder")
        }
    }

    func string(forKey key: String) throws -> String? {
        let (folder, storage) = try opened()
        return try named(folder) { _ in try storage.string(forKey: key) }
    }

    func set(_ value: String?, forKey key: String) throws {
        let (folder, storage) = try opened()
        try named(folder) { _ in try storage.set(value, forKey: key) }
    }
}
