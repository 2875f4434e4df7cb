internal import CollectorStore
internal import EventModel
internal import Foundation
internal import JSONLines
internal import Primitives

/// A file with keys in the form `{"keys": […]}`.
struct KeyList {
    let path: String
    /// What to do if the file is damaged.
    let advice: String
    var files: any FileCalls = SystemCalls()

    /// The members of a key that all files have, and its texts.
    typealias Entry = (texts: [(name: String, value: String)], createdAt: EventTime, revokedAt: EventTime?)

    /// Reads the entries; an empty array if the file does not exist.
    ///
    /// - Throws: ``StoreError``: `cannot-open`, `damaged`.
    func entries() throws(StoreError) -> [JSONValue] {
        guard FileManager.default.fileExists(atPath: path) else { return [] }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw StoreError(.cannotOpen, "cannot read \(path); check its owner and permissions")
        }
        guard let json = JSONValue(validating: bytes), case .array(let entries)? = json["keys"] else {
            throw damaged("the file does not have the form {\"keys\": […]}")
        }
        return entries
    }

    /// The time in a member of an entry, in seconds since 1970.
    static func time(_ name: String, of entry: JSONValue) -> EventTime? {
        entry[name]?.integerValue.map { EventTime(seconds: $0) }
    }

    /// Changes the keys while no other process does: otherwise one of two changes at the same time would be lost.
    ///
    /// - Throws: ``StoreError``: `cannot-open` if the folder can't be locked; the errors of the closures. After one of `change`,
    ///   nothing is written.
    func update<Key, Value>(
        _ read: () throws -> [Key], _ write: ([Key]) throws -> Void, _ change: (inout [Key]) throws -> Value
    ) throws -> Value {
        let folder = (path as NSString).deletingLastPathComponent
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        while descriptor < 0 || flock(descriptor, LOCK_EX) != 0 {
            guard descriptor >= 0, errno == EINTR else {
                let error = SystemError("flock", path: folder)
                throw StoreError(.cannotOpen, "cannot lock \(folder): \(error); check its owner and permissions")
            }
        }
        var keys = try read()
        let value = try change(&keys)
        try write(keys)
        return value
    }

    func damaged(_ reason: String) -> StoreError {
        StoreError(.damaged, "cannot use \(path): \(reason); \(advice)")
    }

    /// Replaces the file atomically, with mode 0600.
    ///
    /// - Throws: ``StoreError``: `write-failed`.
    func write(_ entries: [Entry]) throws(StoreError) {
        var json = JSONWriter()
        json.beginObject()
        json.key("keys")
        json.beginArray()
        for entry in entries {
            json.beginObject()
            for (name, value) in entry.texts {
                json.key(name)
                json.string(value)
            }
            json.key("created_at")
            json.integer(entry.createdAt.microseconds / 1_000_000)
            if let revoked = entry.revokedAt {
                json.key("revoked_at")
                json.integer(revoked.microseconds / 1_000_000)
            }
            json.endObject()
        }
        json.endArray()
        json.endObject()
        try PrivateTextFile.replace(path, with: json.bytes + [0x0A], files: files)
    }
}
