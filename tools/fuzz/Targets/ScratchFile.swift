internal import Foundation

/// A file whose content is replaced repeatedly. It is removed with its owner, and on Linux also when its process ends.
final class ScratchFile {
    let path: String
    private let descriptor: Int32

    init() throws {
        let location = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)").path
        descriptor = open(location, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FuzzIssue("cannot create a file at \(location)") }
        #if os(Linux)
            // Opened by this path, it is read from its start, as by any other.
            unlink(location)
            path = "/proc/self/fd/\(descriptor)"
        #else
            path = location
        #endif
    }

    deinit {
        close(descriptor)
        #if !os(Linux)
            unlink(path)
        #endif
    }

    func replace(with bytes: UnsafeRawBufferPointer) throws {
        guard ftruncate(descriptor, 0) == 0,
            pwrite(descriptor, bytes.baseAddress, bytes.count, 0) == bytes.count
        else { throw FuzzIssue("cannot write \(path)") }
    }
}
