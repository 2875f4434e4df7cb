internal import EventLog
internal import Foundation

/// The system's implementation of ``StoreFiles``.
package struct SystemFiles: StoreFiles {
    package init() {}

    package func create(_ path: String) throws -> CInt { try PrivateFile.open(path, O_WRONLY | O_CREAT | O_EXCL) }

    package func openForReading(_ path: String) throws -> CInt { try PrivateFile.open(path, O_RDONLY) }

    package func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws -> Int {
        while true {
            let count = Foundation.write(descriptor, bytes.baseAddress, bytes.count)
            if count > 0 { return count }
            // POSIX allows a write of 0 bytes; for a regular file it means that the disk is full.
            if count == 0 { errno = ENOSPC }
            guard errno == EINTR else { throw SystemError("write", path: path) }
        }
    }

    package func read(_ descriptor: CInt, _ memory: UnsafeMutableRawBufferPointer, at offset: Int64, path: String)
        throws -> Int
    {
        while true {
            let count = pread(descriptor, memory.baseAddress, memory.count, off_t(offset))
            if count >= 0 { return count }
            guard errno == EINTR else { throw SystemError("read", path: path) }
        }
    }

    package func sync(_ descriptor: CInt, path: String) throws {
        #if canImport(Darwin)
            // On Apple platforms, fsync leaves the bytes in the drive's cache.
            guard fcntl(descriptor, F_FULLFSYNC) == 0 else { throw SystemError("fcntl", path: path) }
        #else
            // Not retried after EINTR: the kernel may have dropped pages that it could not write.
            guard fdatasync(descriptor) == 0 else { throw SystemError("fdatasync", path: path) }
        #endif
    }

    package func syncFolder(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path: path) }
        defer { Foundation.close(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError("fsync", path: path) }
    }

    package func rename(_ path: String, to other: String) throws {
        guard Foundation.rename(path, other) == 0 else { throw SystemError("rename", path: path) }
    }

    package func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", path: path) }
    }

    package func close(_ descriptor: CInt) { _ = Foundation.close(descriptor) }
}
