#if Collector
    package import CollectorStore
    package import EventModel
    internal import EventLog
    internal import Foundation
    internal import JSONLines
    internal import Primitives

    /// The file `keys.json` in a data folder. A running collector reloads it when it changes, so you can add and revoke
    /// keys without a restart.
    package struct KeyFile: Sendable {
        package let path: String

        /// - Parameter folder: The data folder.
        package init(folder: String) { path = "\(folder)/keys.json" }

        /// Reads the keys; an empty array if the file does not exist.
        ///
        /// - Throws: ``StoreError``: `cannot-open`, `damaged`.
        package func read() throws(StoreError) -> [AccessKey] {
            guard FileManager.default.fileExists(atPath: path) else { return [] }
            guard let bytes = FileManager.default.contents(atPath: path) else {
                throw StoreError(.cannotOpen, "cannot read \(path); check its owner and permissions")
            }
            guard let json = try? JSONParser.parse(bytes), case .array(let entries)? = json["keys"] else {
                throw damaged("the file does not have the form {\"keys\": […]}")
            }
            var keys: [AccessKey] = []
            for (index, entry) in entries.enumerated() {
                guard let id = entry["id"]?.stringValue, let app = entry["app"]?.stringValue,
                    let kind = entry["kind"]?.stringValue.flatMap({ AccessKey.Kind(rawValue: $0) }),
                    let digest = entry["sha256"]?.stringValue, digest.utf8.count == 64,
                    let created = entry["created_at"]?.integerValue
                else { throw damaged("entry \(index + 1) has no valid id, app, kind, sha256 or created_at") }
                keys.append(
                    AccessKey(
                        id: id, kind: kind, app: app, digest: digest, createdAt: EventTime(seconds: created),
                        revokedAt: entry["revoked_at"]?.integerValue.map { EventTime(seconds: $0) }))
            }
            return keys
        }

        private func damaged(_ reason: String) -> StoreError {
            StoreError(.damaged, "cannot use \(path): \(reason); restore the file, or remove it and create new keys")
        }

        /// Replaces the file atomically, with mode 0600.
        ///
        /// - Throws: ``StoreError``: `write-failed`, `disk-full`.
        package func write(_ keys: [AccessKey]) throws(StoreError) {
            var json = JSONWriter()
            json.beginObject()
            json.key("keys")
            json.beginArray()
            for key in keys {
                json.beginObject()
                for (name, value) in [
                    ("id", key.id), ("kind", key.kind.rawValue), ("app", key.app), ("sha256", key.digest),
                ] {
                    json.key(name)
                    json.string(value)
                }
                json.key("created_at")
                json.integer(key.createdAt.microseconds / 1_000_000)
                if let revoked = key.revokedAt {
                    json.key("revoked_at")
                    json.integer(revoked.microseconds / 1_000_000)
                }
                json.endObject()
            }
            json.endArray()
            json.endObject()
            try PrivateTextFile.replace(path, with: json.bytes + [0x0A])
        }
    }
#endif
