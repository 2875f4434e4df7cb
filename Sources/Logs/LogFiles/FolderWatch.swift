internal import Foundation

/// Reports changes of files in folders. Uses inotify(7) on Linux; on other platforms, reports a possible change every
/// 50 ms. Not thread-safe.
package final class FolderWatch {
    private var watched: Set<String> = []
    #if os(Linux)
        private let descriptor: Int32
        private static let mask = UInt32(
            IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
    #endif

    /// Creates a watch without folders.
    ///
    /// - Throws: ``LogFileError``, `cannotRead`, if the system has no watches left.
    package init() throws {
        #if os(Linux)
            descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else {
                throw LogFileError(
                    .cannotRead,
                    "cannot watch files (\(String(cString: strerror(errno)))): raise fs.inotify.max_user_instances")
            }
        #endif
    }

    deinit {
        #if os(Linux)
            close(descriptor)
        #endif
    }

    /// Watches a folder. Adding it again has no effect.
    ///
    /// - Throws: ``LogFileError``, `cannotRead`.
    package func add(folder: String) throws {
        guard watched.insert(folder).inserted else { return }
        #if os(Linux)
            guard inotify_add_watch(descriptor, folder, Self.mask) >= 0 else {
                throw LogFileError(
                    .cannotRead, "cannot watch the folder \(folder): \(String(cString: strerror(errno)))")
            }
        #endif
    }

    /// Waits for a change, a signal, or the end of the time.
    ///
    /// - Returns: Whether something may have changed.
    package func wait(milliseconds: Int32) -> Bool {
        #if os(Linux)
            guard Interruption.waitToRead(descriptor, milliseconds: milliseconds) else { return false }
            // Discard the details: the caller checks all files.
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            return true
        #else
            usleep(useconds_t(min(milliseconds, 50)) * 1000)
            return true
        #endif
    }
}
