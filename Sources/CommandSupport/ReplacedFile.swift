internal import Foundation
internal import LogFiles

/// A file that is written whole, in the place of the one before: a reader finds one or the other, even after a power
/// failure. Until ``commit(_:)`` what is there stays as it is.
package final class ReplacedFile {
    private let path: String
    private let descriptor: Int32
    private var isInPlace = false

    /// Begins the file beside its place, so that a place where none can be written shows at once.
    ///
    /// - Throws: ``CommandFailure``: `inputOutput`, or `usage` for a folder or a device, which no file may replace.
    package init(path: String) throws {
        self.path = path
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.usage, "\(path) is a folder or a device: name a file")
        }
        descriptor = open(Self.partial(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CommandFailure(writing: path, errno) }
    }

    deinit {
        if descriptor >= 0 { close(descriptor) }
        if descriptor >= 0 && !isInPlace { unlink(Self.partial(path)) }
    }

    /// Puts the file in its place, with this content, and brings it to the disk.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    package func commit(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: descriptor, name: path) }
        guard fsync(descriptor) == 0, rename(Self.partial(path), path) == 0 else {
            throw CommandFailure(writing: path, errno)
        }
        isInPlace = true
        try Self.syncFolder(of: path)
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

    private static func partial(_ path: String) -> String { "\(path).partial" }
}
