internal import CollectorStore
internal import Primitives

/// Small private files in a data folder.
enum PrivateTextFile {
    /// Replaces a file atomically, with mode 0600. Synced to the disk.
    ///
    /// - Throws: ``StoreError``: `write-failed`.
    static func replace(
        _ path: String, with bytes: [UInt8], files: any FileCalls = SystemCalls()
    ) throws(StoreError) {
        do { try files.replace(path, with: bytes, draft: path + ".draft") } catch {
            throw StoreError(
                .writeFailed, "cannot write \(path): \(error); check the folder and its free space",
                underlyingError: error)
        }
    }
}
