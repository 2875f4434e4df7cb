#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

/// The system calls that change files. Tests pass an implementation that records them or fails.
///
/// Errors are ``SystemError``s. The default implementations are the system's. Calls may come from any thread.
package protocol FileCalls: Sendable {
    /// Creates a file for writing with mode 0600. Fails if the file exists.
    func create(_ path: String) throws -> CInt
    /// Appends bytes; may write only some of them.
    ///
    /// - Returns: The number of bytes written, at least 1.
    func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws -> Int
    /// Syncs the file's bytes and its length to the disk. After an error, bytes written since the last successful sync
    /// may be lost, even if a later call succeeds.
    func sync(_ descriptor: CInt, path: String) throws
    /// Syncs the names in a folder to the disk.
    func syncFolder(_ path: String) throws
    /// Renames a file, replacing the target.
    func rename(_ path: String, to other: String) throws
    /// Removes a file; does nothing if it does not exist.
    func remove(_ path: String) throws
    func close(_ descriptor: CInt)
}

/// The system's implementation of ``FileCalls``.
package struct SystemCalls: FileCalls {
    private let toleratesUnsyncedFolders: Bool

    /// - Parameter toleratesUnsyncedFolders: Whether a file system that cannot sync folders is used all the same, for
    ///   files of an app, which has no other file system.
    package init(toleratesUnsyncedFolders: Bool = false) { self.toleratesUnsyncedFolders = toleratesUnsyncedFolders }

    package func syncFolder(_ path: String) throws {
        do { try syncNames(path) } catch let error as SystemError
            where toleratesUnsyncedFolders && error.call == "fsync" && [EINVAL, ENOTSUP].contains(error.code)
        {}
    }
}

extension FileCalls {
    package func create(_ path: String) throws -> CInt {
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SystemError("open", path: path) }
        return descriptor
    }

    package func write(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer, path: String) throws -> Int {
        while true {
            let count = writeBytes(descriptor, bytes)
            if count > 0 { return count }
            // POSIX allows a write of 0 bytes; for a regular file it means that the disk is full.
            if count == 0 { errno = ENOSPC }
            guard errno == EINTR else { throw SystemError("write", path: path) }
        }
    }

    package func sync(_ descriptor: CInt, path: String) throws {
        #if canImport(Darwin)
            // On Apple platforms, fsync leaves the bytes in the drive's cache. Some file systems have only fsync.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        // Not retried after EINTR: the kernel may have dropped pages that it could not write.
        guard fsync(descriptor) == 0 else { throw SystemError("fsync", path: path) }
    }

    package func syncFolder(_ path: String) throws { try syncNames(path) }

    fileprivate func syncNames(_ path: String) throws {
        let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open", path: path) }
        defer { closeFile(descriptor) }
        guard fsync(descriptor) == 0 else { throw SystemError("fsync", path: path) }
    }

    package func rename(_ path: String, to other: String) throws {
        guard renameFile(path, other) == 0 else { throw SystemError("rename", path: other) }
    }

    package func remove(_ path: String) throws {
        guard unlink(path) == 0 || errno == ENOENT else { throw SystemError("unlink", path: path) }
    }

    package func close(_ descriptor: CInt) { closeFile(descriptor) }
}

// The C library's functions; in the extension, their names are those of the requirements.
private func writeBytes(_ descriptor: CInt, _ bytes: UnsafeRawBufferPointer) -> Int {
    write(descriptor, bytes.baseAddress, bytes.count)
}
private func renameFile(_ path: String, _ other: String) -> CInt { rename(path, other) }
private func closeFile(_ descriptor: CInt) { _ = close(descriptor) }
