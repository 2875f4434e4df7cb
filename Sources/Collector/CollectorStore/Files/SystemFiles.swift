internal import EventLog
internal import Foundation
internal import Primitives

/// The system's implementation of ``StoreFiles``.
package struct SystemFiles: StoreFiles {
    package init() {}

    /// Creates a file; throws `PrivateFile.Refusal`, too.
    package func create(_ path: String) throws -> CInt { try PrivateFile.open(path, O_WRONLY | O_CREAT | O_EXCL) }

    package func openForReading(_ path: String) throws -> CInt { try PrivateFile.open(path, O_RDONLY) }

    package func read(_ descriptor: CInt, _ memory: UnsafeMutableRawBufferPointer, at offset: Int64, path: String)
        throws -> Int
    {
        while true {
            let count = pread(descriptor, memory.baseAddress, memory.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw SystemError("read", path: path) }
        }
    }

    /// Unlike the default, accepts no file system that leaves bytes in the drive's cache; unlike fsync(2), does not sync the
    /// times and the mode, which nothing reads.
    package func sync(_ descriptor: CInt, path: String) throws {
        #if canImport(Darwin)
            guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw SystemError("fcntl", path: path) }
        #else
            // Not retried after EINTR: the kernel may have dropped pages that it could not write.
            guard fdatasync(descriptor) == 0 else { throw SystemError("fdatasync", path: path) }
        #endif
    }
}
