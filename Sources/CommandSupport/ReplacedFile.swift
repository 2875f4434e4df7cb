internal import Foundation

/// Small files that are replaced as a whole: a reader finds what stood there before or what stands there now, even after
/// a power failure.
package enum ReplacedFile {
    /// Writes a file beside the old one, brings it to the disk, and gives it the name.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    package static func write(_ bytes: [UInt8], path: String) throws {
        let partial = "\(path).partial"
        let descriptor = open(partial, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CommandFailure(writing: path, errno) }
        defer { close(descriptor) }
        try bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: descriptor, name: path) }
        guard fsync(descriptor) == 0, rename(partial, path) == 0 else { throw CommandFailure(writing: path, errno) }
        try syncFolder(of: path)
    }

    /// Brings the names in the folder of a file to the disk.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    package static func syncFolder(of path: String) throws {
        let folder = open(URL(fileURLWithPath: path).deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
        guard folder >= 0 else { throw CommandFailure(writing: path, errno) }
        defer { close(folder) }
        guard fsync(folder) == 0 else { throw CommandFailure(writing: path, errno) }
    }
}
