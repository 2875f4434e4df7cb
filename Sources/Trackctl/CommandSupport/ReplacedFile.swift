internal import Foundation
internal import LogFiles

/// A file that is written whole, in the place of the one before: a reader finds one or the other, even after a power
/// failure. Until ``commit(_:)`` what is there stays as it is.
package final class ReplacedFile {
    private let path: String
    private let file: UnfinishedFile

    /// Begins the file beside its place, so that a place where none can be written shows at once.
    ///
    /// - Throws: ``CommandFailure``: `usage` for a folder or a device, which no file may replace; as ``UnfinishedFile``.
    package init(path: String) throws {
        self.path = path
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.usage, "\(path) is a folder or a device: name a file")
        }
        file = try UnfinishedFile(path: path)
    }

    /// Puts the file in its place, with this content, and brings it to the disk.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    package func commit(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: file.descriptor, name: path) }
        try file.publish()
    }

    /// Writes a small file in the place of the one before.
    ///
    /// - Throws: As ``init(path:)`` and ``commit(_:)``.
    package static func write(_ bytes: [UInt8], path: String) throws { try ReplacedFile(path: path).commit(bytes) }

    /// Brings the names in the folder of a file to the disk.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    package static func syncFolder(of path: String) throws {
        do { try FolderSync.sync(folderOf: path) } catch { throw CommandFailure(error) }
    }
}
