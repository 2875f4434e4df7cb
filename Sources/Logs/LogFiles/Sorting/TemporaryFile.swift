internal import Foundation

/// A file for what does not fit into memory: nobody else can open it, and it is gone when its owner is, or the process.
/// One thread at a time uses it.
package final class TemporaryFile {
    private static let name = "a temporary file in \(FileManager.default.temporaryDirectory.path)"

    private let descriptor: Int32
    /// How many bytes it holds.
    package private(set) var length = 0

    /// Makes an empty one in the folder that `TMPDIR` names.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package init() throws {
        let folder = FileManager.default.temporaryDirectory.path
        var path = Array("\(folder)/trackctl-XXXXXX".utf8CString)
        descriptor = mkstemp(&path)
        guard descriptor >= 0 else {
            throw LogFileError(
                .cannotWrite,
                "no temporary file can be made in \(folder) (\(String(cString: strerror(errno)))): set TMPDIR to another folder"
            )
        }
        unlink(path)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    }

    deinit { close(descriptor) }

    /// Adds bytes at the end.
    ///
    /// - Throws: ``LogFileError``, `cannotWrite`.
    package func append(_ bytes: UnsafeRawBufferPointer) throws {
        try DescriptorBytes.write(bytes, to: descriptor, name: Self.name)
        length += bytes.count
    }

    /// Fills a buffer with the bytes from a place on, all of which must be there.
    ///
    /// - Throws: ``LogFileError``, `cannotRead`.
    package func read(at location: Int, into buffer: UnsafeMutableRawBufferPointer) throws {
        var count = 0
        while count < buffer.count {
            let read = pread(
                descriptor, buffer.baseAddress.map { $0 + count }, buffer.count - count, off_t(location + count))
            if read < 0 && errno == EINTR { continue }
            guard read > 0 else {
                throw LogFileError(.cannotRead, "\(Self.name) cannot be read: \(String(cString: strerror(errno)))")
            }
            count += read
        }
    }
}
