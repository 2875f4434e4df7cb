internal import Foundation

/// A file whose content is replaced again and again; gone with its owner, and on Linux with its process however that ends.
final class ScratchFile {
    let path: String
    private let descriptor: Int32

    init() throws {
        let location = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)").path
        descriptor = open(location, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FuzzIssue("no file can be made at \(location)") }
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
        else { throw FuzzIssue("\(path) cannot be written") }
    }
}
