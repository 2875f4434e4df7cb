#if Collector
    internal import CollectorStore
    internal import Foundation
    internal import Primitives

    /// Erasures that were asked for and are not finished: one file each, so that a collector that ends on the way goes on with them.
    struct PendingErasures: Sendable {
        private let folder: String

        /// - Parameter folder: The data folder.
        init(folder: String) { self.folder = "\(folder)/erasures" }

        /// Notes an erasure on the disk.
        ///
        /// - Returns: Its file.
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
                return path
            } catch {
                throw StoreError(
                    .writeFailed,
                    "cannot note the erasure in \(folder): \(error.localizedDescription); ask for it again",
                    underlyingError: error)
            }
        }

        /// SHA-256 of the user's id: a file that was written in part is known by it.
        private static func name(_ user: String) -> String { SHA256.bytes(of: Array(user.utf8)).hexadecimal }

        func finished(_ path: String) { unlink(path) }

        /// What an earlier process has not finished. Removes files that are not whole: they were never acknowledged, and a part of a
        /// user's id may be another user's.
        var left: [(path: String, user: String)] {
            // There is no folder before the first.
            let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
            return names.sorted().compactMap { name in
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
#endif
