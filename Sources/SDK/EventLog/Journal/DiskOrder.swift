internal import Foundation
package import Primitives

/// Syncs files and folders in an order that keeps references valid after a power failure: first the contents of a file,
/// then its name, then everything that refers to it.
///
/// A disk that does not support syncing keeps its own order. The file still works, and is checked like any other after
/// a power failure.
package struct DiskOrder: FileCalls {
    /// A sync of a file or a folder.
    package enum Step: Hashable, Sendable {
        case file(String)
        case folder(String)
    }

    let system: LogSystem
    /// Whether to sync now. If false, the caller syncs later.
    var isSynced = true

    /// Waits until a file's bytes, including stores to a mapping, are on the disk.
    package func sync(_ descriptor: CInt, path: String) {
        guard isSynced else { return }
        system.willSync(.file(path))
        while fsync(descriptor) != 0, errno == EINTR {}
    }

    /// Waits until the names in a folder are on the disk.
    package func syncFolder(_ path: String) {
        guard isSynced else { return }
        system.willSync(.folder(path))
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        while fsync(descriptor) != 0, errno == EINTR {}
    }

    /// The folder that contains a file.
    package static func folder(of path: String) -> String { (path as NSString).deletingLastPathComponent }
}

/// How a log sees the system: whether other writers are alive, and when files are synced. Tests and the crash harness pass
/// another one.
package struct LogSystem: Sendable {
    /// Returns whether to treat a writer as alive, given whether it is by its lock or its heartbeat. A wrong result may
    /// cause a delay, but never a lost or duplicate event.
    package var judge: @Sendable (_ isAlive: Bool) -> Bool = { $0 }
    /// Called before each sync of a file or a folder.
    package var willSync: @Sendable (DiskOrder.Step) -> Void = { _ in }

    package init() {}
}
