internal import EventLog
internal import Foundation
internal import Primitives

/// An flock(2) on a file of a loader's folder, held until it is closed.
///
/// `.maintenance.lock` is held exclusively by compaction and erasure. `.files.lock` is shared by loaders from the creation of a
/// draft until its folder is synced, and held exclusively while maintenance changes files that loaders may write.
struct FolderLock {
    private let descriptor: CInt

    /// Creates the file if it is missing, and waits for the lock.
    ///
    /// - Parameter kind: `LOCK_SH`, `LOCK_EX`, or `LOCK_EX | LOCK_NB`.
    /// - Throws: `SystemError`, with `EWOULDBLOCK` if another process has the lock and `kind` has `LOCK_NB`; an error about the
    ///   owner.
    init(_ path: String, _ kind: CInt) throws {
        descriptor = try PrivateFile.open(path, O_RDWR | O_CREAT)
        while flock(descriptor, kind) != 0 {
            guard errno == EINTR else {
                let error = SystemError("flock", path: path)
                close()
                throw error
            }
        }
    }

    /// Unlocks the file, too, because a process that is just being started may have a copy of the descriptor.
    func close() {
        flock(descriptor, LOCK_UN)
        _ = Foundation.close(descriptor)
    }
}
