package import CollectorStore

/// The file `admin-token` in a data folder, with the admin token of a first start that has no terminal. The collector only
/// writes it.
package struct AdminTokenFile: Sendable {
    package let path: String

    /// - Parameter folder: The data folder.
    package init(folder: String) { path = "\(folder)/admin-token" }

    /// Replaces the file atomically, with mode 0600.
    ///
    /// - Throws: ``StoreError``: `write-failed`.
    package func write(_ token: String) throws(StoreError) {
        try PrivateTextFile.replace(path, with: Array("\(token)\n".utf8))
    }
}
