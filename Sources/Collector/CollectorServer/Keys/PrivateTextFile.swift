internal import CollectorStore
internal import Foundation

/// Small private files in a data folder.
enum PrivateTextFile {
    /// Replaces a file atomically, with mode 0600. Synced to the disk.
    ///
    /// - Throws: ``StoreError``: `write-failed`.
    static func replace(_ path: String, with bytes: [UInt8]) throws(StoreError) {
        let draft = path + ".draft"
        do {
            try? FileManager.default.removeItem(atPath: draft)  // left by a process that ended during a write
            guard
                FileManager.default.createFile(
                    atPath: draft, contents: Data(bytes), attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: draft))
            try handle.synchronize()
            try handle.close()
            guard rename(draft, path) == 0 else { throw CocoaError(.fileWriteUnknown) }
        } catch {
            throw StoreError(
                .writeFailed,
                "cannot write \(path): \(error.localizedDescription); check the folder and its free space",
                underlyingError: error)
        }
    }
}
