internal import CommandSupport
internal import Foundation

/// A file that is written whole, in the place of the one before: a reader finds one or the other, even after a power
/// failure. Until ``commit(_:)`` what is there stays as it is.
final class WholeFile {
    private let path: String
    private let descriptor: Int32
    private var isInPlace = false

    /// Begins the file beside its place, so that a place where none can be written shows at once.
    ///
    /// - Throws: ``CommandFailure``: `inputOutput`, or `usage` for a folder or a device, which no file may replace.
    init(path: String) throws {
        self.path = path
        var status = stat()
        guard stat(path, &status) != 0 || status.st_mode & S_IFMT == S_IFREG else {
            throw CommandFailure(.usage, "\(path) is a folder or a device: name a file")
        }
        descriptor = open(Self.partial(path), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw CommandFailure(writing: path, errno) }
    }

    deinit {
        close(descriptor)
        if !isInPlace { unlink(Self.partial(path)) }
    }

    /// Puts the file in its place, with this content.
    ///
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func commit(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try DescriptorBytes.write($0, to: descriptor, name: path) }
        guard fsync(descriptor) == 0, rename(Self.partial(path), path) == 0 else {
            throw CommandFailure(writing: path, errno)
        }
        isInPlace = true
    }

    private static func partial(_ path: String) -> String { "\(path).partial" }
}
