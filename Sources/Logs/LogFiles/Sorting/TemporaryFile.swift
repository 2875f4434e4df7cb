internal import Foundation

/// An unlinked temporary file: no other process can open it, and it is deleted with this object or the process. Not
/// thread-safe.
package final class TemporaryFile {
    private static let name = "a temporary file in \(FileManager.default.temporaryDirectory.path)"

    private let descriptor: Int32
    /// The length in bytes.
    package private(set) var length = 0

    /// Creates an empty file in the folder that `TMPDIR` names.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package init() throws {
        let folder = FileManager.default.temporaryDirectory.path
        var path = Array("\(folder)/trackctl-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw LogFileError(
                .cannotWrite,
                "cannot create a file in \(folder) (\(String(cString: strerror(errno)))): set TMPDIR to another folder"
            )
        }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Appends bytes.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        try DescriptorBytes.write(bytes, to: descriptor, name: Self.name)
        length += bytes.count
    }

    /// Fills a buffer with the bytes at an offset, all of which must exist.
    ///
    /// - Throws: ``LogFileError``, `cannotRead`.
    package func read(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
        var count = 0
        while count < buffer.count {
            let read = pread(
                descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(offset + count))
            if read < 0 && errno == EINTR { continue }
            guard read > 0 else {
                throw LogFileError(.cannotRead, "cannot read \(Self.name): \(String(cString: strerror(errno)))")
            }
            count += read
        }
    }
}
