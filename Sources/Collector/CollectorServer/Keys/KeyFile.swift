package import CollectorStore
internal import JSONLines

/// The file `keys.json` in a data folder. A running collector reloads it when it changes, so you can add and revoke
/// keys without a restart.
package struct KeyFile: Sendable {
    package let path: String

    /// - Parameter folder: The data folder.
    package init(folder: String) { path = "\(folder)/keys.json" }

    private var list: KeyList {
        KeyList(path: path, advice: "restore the file, or remove it and create new keys")
    }

    /// Reads the keys; an empty array if the file does not exist.
    ///
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`.
    package func read() throws(StoreError) -> [AccessKey] {
        var keys: [AccessKey] = []
        for (index, entry) in try list.entries().enumerated() {
            guard let id = entry["id"]?.stringValue, let app = entry["app"]?.stringValue,
                let kind = entry["kind"]?.stringValue.flatMap({ AccessKey.Kind(rawValue: $0) }),
                let digest = entry["sha256"]?.stringValue, digest.utf8.count == 64,
                let created = KeyList.time("created_at", of: entry)
            else { throw list.damaged("entry \(index + 1) has no valid id, app, kind, sha256 or created_at") }
            keys.append(
                AccessKey(
                    id: id, kind: kind, app: app, digest: digest, createdAt: created,
                    revokedAt: KeyList.time("revoked_at", of: entry)))
        }
        return keys
    }

    /// Changes the keys, one process after another.
    ///
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`, `write-failed`; the error of `change`, after which nothing is written.
    package func update<Value>(_ change: (inout [AccessKey]) throws -> Value) throws -> Value {
        try list.update(read, write, change)
    }

    /// Replaces the file atomically, with mode 0600.
    ///
    /// - Throws: ``StoreError``: `write-failed`.
    package func write(_ keys: [AccessKey]) throws(StoreError) {
        try list.write(
            keys.map { key in
                (
                    [("id", key.id), ("kind", key.kind.rawValue), ("app", key.app), ("sha256", key.digest)],
                    key.createdAt, key.revokedAt
                )
            })
    }
}
