internal import Foundation

/// Tells when files in folders change, come or go. On Linux the system says so (inotify(7)); elsewhere it is assumed every
/// 50 ms. For one thread at a time.
package final class FolderWatch {
    private var watched: Set<String> = []
    #if os(Linux)
        private let descriptor: Int32
        private static let mask = UInt32(
            IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF)
    #endif

    /// Makes a watch of nothing.
    ///
    /// - Throws: ``LogFileError``, `cannotRead`, if the system has no more watches.
    package init() throws {
        #if os(Linux)
            descriptor = inotify_init1(Int32(IN_CLOEXEC) | Int32(IN_NONBLOCK))
            guard descriptor >= 0 else {
                throw LogFileError(
                    .cannotRead,
                    "no file can be watched (\(String(cString: strerror(errno)))): raise fs.inotify.max_user_instances")
            }
        #endif
    }

    deinit {
        #if os(Linux)
            close(descriptor)
        #endif
    }

    /// Watches a folder from now on. Several times is as good as once.
    ///
    /// - Throws: ``LogFileError``, `cannotRead`.
    package func add(folder: String) throws {
        guard watched.insert(folder).inserted else { return }
        #if os(Linux)
            guard inotify_add_watch(descriptor, folder, Self.mask) >= 0 else {
                throw LogFileError(
                    .cannotRead, "the folder \(folder) cannot be watched: \(String(cString: strerror(errno)))")
            }
        #endif
    }

    /// Waits until something has changed, at most so long, or until a signal comes.
    ///
    /// - Returns: Whether something has changed, or may have.
    package func wait(milliseconds: Int32) -> Bool {
        #if os(Linux)
            guard Interruption.waitToRead(descriptor, milliseconds: milliseconds) else { return false }
            // What has changed is looked at anyway.
            var buffer = [UInt8](repeating: 0, count: 16 << 10)
            while read(descriptor, &buffer, buffer.count) > 0 {}
            return true
        #else
            usleep(useconds_t(min(milliseconds, 50)) * 1000)
            return true
        #endif
    }
}
