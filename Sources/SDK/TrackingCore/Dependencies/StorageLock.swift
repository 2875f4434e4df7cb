internal import EventLog
internal import Foundation
internal import Primitives

/// The exclusive right to change a key-value file, held by one change in one process at a time.
///
/// Uses `flock(2)` on an empty private file next to it, which stays. The key-value file can't be locked itself, since
/// each change replaces it; a folder could be locked by other users, and on some network file systems not at all. Each
/// acquisition opens the file again, so that it excludes other threads as well.
struct StorageLock {
    private let path: String
    private let timeout: Duration

    init(for file: String, timeout: Duration) {
        let file = file as NSString
        path = (file.deletingLastPathComponent as NSString).appendingPathComponent(".\(file.lastPathComponent).lock")
        self.timeout = timeout
    }

    /// Performs a short operation with the lock held.
    ///
    /// - Throws: The operation's error; ``/EventLog/EventLogError`` with ``/EventLog/EventLogError/Code/inUse`` after
    ///   the timeout; ``/EventLog/PrivateFile``'s errors.
    func withLock<Result>(_ body: () throws -> Result) throws -> Result {
        let descriptor = try acquire()
        defer {
            flock(descriptor, LOCK_UN)  // a forked child may have the descriptor, too
            close(descriptor)
        }
        return try body()
    }

    private func acquire() throws -> CInt {
        let end = ContinuousClock.now.advanced(by: timeout)
        var pause: UInt32 = 50
        while true {
            let descriptor = try PrivateFile.open(path, O_RDWR | O_CREAT)
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                if isNamed(descriptor) { return descriptor }
                close(descriptor)  // The file was removed meanwhile, and other processes lock a new one.
            } else {
                let error = SystemError("flock", path: path)
                close(descriptor)
                guard error.code == EWOULDBLOCK || error.code == EINTR else { throw error }
            }
            guard ContinuousClock.now < end else {
                throw EventLogError(
                    .inUse,
                    """
                    cannot lock \(path): another process has locked it for \(timeout); try again, and end that process \
                    if it is suspended
                    """)
            }
            usleep(pause)
            pause = min(pause * 2, 2000)
        }
    }

    private func isNamed(_ descriptor: CInt) -> Bool {
        var opened = stat()
        var named = stat()
        return fstat(descriptor, &opened) == 0 && lstat(path, &named) == 0
            && (opened.st_dev, opened.st_ino) == (named.st_dev, named.st_ino)
    }
}
