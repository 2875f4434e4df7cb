package import EventModel
internal import Foundation
package import Primitives

package enum DataFolder {
    /// Creates the folder with mode 0700 if it does not exist.
    ///
    /// - Throws: ``StoreError``, `cannot-open`, if the path is not a folder, belongs to another user, or is
    ///   accessible to others.
    package static func prepare(_ path: String) throws(StoreError) {
        if mkdir(path, 0o700) != 0, errno != EEXIST {
            throw StoreError(
                .cannotOpen,
                "cannot create folder \(path): \(String(cString: strerror(errno))); create its parent, or use another path"
            )
        }
        var status = stat()
        guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR, status.st_uid == geteuid() else {
            throw StoreError(.cannotOpen, "\(path) is not a folder owned by this user; use another path")
        }
        if status.st_mode & 0o077 != 0 { chmod(path, 0o700) }
    }

    /// The free bytes for this user on the folder's file system; nil if unknown.
    package static func freeBytes(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_bavail) * UInt64(status.f_frsize))
    }

    /// The size of the folder's file system in bytes; nil if unknown.
    package static func totalBytes(_ path: String) -> Int64? {
        var status = statvfs()
        guard statvfs(path, &status) == 0 else { return nil }
        return Int64(clamping: UInt64(status.f_blocks) * UInt64(status.f_frsize))
    }

    /// Writes and syncs a small file.
    package static func probe(_ folder: String) throws(SystemError) {
        let path = "\(folder)/probe"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw SystemError("open", path: path) }
        defer { close(descriptor) }
        guard write(descriptor, "ready\n", 6) == 6, fsync(descriptor) == 0 else {
            throw SystemError("write", path: path)
        }
    }
}

/// Identifies a version of a file without reading it: changed files have another stamp.
package struct FileStamp: Equatable, Sendable {
    private var inode: UInt64
    private var size: Int64
    private var seconds: Int
    private var nanoseconds: Int

    package init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        #if canImport(Darwin)
            let time = status.st_mtimespec
        #else
            let time = status.st_mtim
        #endif
        inode = UInt64(status.st_ino)
        size = Int64(status.st_size)
        seconds = Int(time.tv_sec)
        nanoseconds = Int(time.tv_nsec)
    }
}

extension EventTime {
    /// The system's clock.
    @Sendable package static func ofSystem() -> EventTime {
        var time = timespec()
        clock_gettime(CLOCK_REALTIME, &time)
        return EventTime(microseconds: Int64(time.tv_sec) * 1_000_000 + Int64(time.tv_nsec) / 1000)
    }
}
