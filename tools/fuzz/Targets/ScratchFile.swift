internal import Foundation

/// A file whose content is replaced again and again; gone with its owner, and on Linux with its process however that ends.
final class ScratchFile {
    let path: String
    private let descriptor: Int32

    init() throws {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("fuzz-\(UUID().uuidString)").path
        descriptor = open(place, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw FuzzFault("no file can be made at \(place)") }
        #if os(Linux)
            // Opened by this path, it is read from its start, as by any other.
            unlink(place)
            path = "/proc/self/fd/\(descriptor)"
        #else
            path = place
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
        else { throw FuzzFault("\(path) cannot be written") }
    }
}
