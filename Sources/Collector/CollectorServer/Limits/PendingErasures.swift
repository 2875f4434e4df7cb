internal import CollectorStore
internal import Foundation
internal import Primitives

/// Requested erasures that are not finished, one file each. If the collector ends during an erasure, the next start
/// continues it.
struct PendingErasures: Sendable {
    private let folder: String

    /// - Parameter folder: The data folder.
    init(folder: String) { self.folder = "\(folder)/erasures" }

    /// Records an erasure on the disk.
    ///
    /// - Returns: The path of its file.
    /// - Throws: ``StoreError``, `write-failed`.
    func add(user: String) throws(StoreError) -> String {
        let path = "\(folder)/\(Self.name(user))"
        do {
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            guard
                FileManager.default.createFile(
                    atPath: path, contents: Data(user.utf8), attributes: [.posixPermissions: 0o600])
            else { throw CocoaError(.fileWriteUnknown) }
            let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
            try handle.synchronize()
            try handle.close()
            for name in [path, folder] { try SystemCalls().syncFolder(of: name) }
            return path
        } catch {
            throw StoreError(
                .writeFailed,
                "cannot record the erasure in \(folder): \(error.localizedDescription); request it again",
                underlyingError: error)
        }
    }

    /// SHA-256 of the user's id. It identifies a file that was only partly written.
    private static func name(_ user: String) -> String { SHA256.bytes(of: Array(user.utf8)).hexadecimal }

    func finished(_ path: String) { unlink(path) }

    /// Erasures that an earlier process did not finish. Removes incomplete files: they were never acknowledged, and
    /// a truncated user id may be another user's id.
    ///
    /// - Throws: Foundation's errors, if the folder exists and cannot be read.
    func left() throws -> [(path: String, user: String)] {
        // The folder does not exist before the first erasure.
        guard FileManager.default.fileExists(atPath: folder) else { return [] }
        return try FileManager.default.contentsOfDirectory(atPath: folder).sorted().compactMap { name in
            let path = "\(folder)/\(name)"
            guard let bytes = FileManager.default.contents(atPath: path) else { return nil }
            let user = String(decoding: bytes, as: UTF8.self)
            guard !user.isEmpty, name == Self.name(user) else {
                unlink(path)
                return nil
            }
            return (path, user)
        }
    }
}
