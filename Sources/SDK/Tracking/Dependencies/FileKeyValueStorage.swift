internal import Foundation
internal import Primitives

/// Storage in a small JSON file, replaced as a whole at each change: a reader or a crash sees the old or the new.
///
/// For one process at a time.
public final class FileKeyValueStorage: KeyValueStorage {
    private let path: String
    private let values: Locked<[String: String]>

    /// Opens the file, or starts empty if there is none.
    ///
    /// - Parameter path: Its folder must exist.
    /// - Throws: Foundation's errors, if the file is there but cannot be read or isn't ours. It is left alone.
    public init(path: String) throws {
        self.path = path
        guard FileManager.default.fileExists(atPath: path) else {
            values = Locked([:])
            return
        }
        let data = try Data(contentsOf: URL(fileURLWithPath: path))
        values = Locked(try JSONDecoder().decode([String: String].self, from: data))
    }

    public func string(forKey key: String) -> String? { values.withLock { $0[key] } }

    public func set(_ value: String?, forKey key: String) throws {
        try values.withLock { values in
            var changed = values
            changed[key] = value
            guard changed != values else { return }
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .prettyPrinted]
            try encoder.encode(changed).write(to: URL(fileURLWithPath: path), options: .atomic)
            values = changed
        }
    }
}
