internal import Foundation

/// Brings files and names to the disk, one after the other, so that a power cut leaves none that points at what is not there:
/// first what is in a file, then its name, then what speaks of it.
///
/// A disk that can't do that keeps its own order: the file can be used, and is looked at like any other after a power cut.
package enum DiskOrder {
    /// Called before each step; for tests.
    package typealias Trace = @Sendable (_ step: Step) -> Void
    @TaskLocal package static var trace: Trace?

    /// What was brought to the disk.
    package enum Step: Hashable, Sendable {
        case file(String)
        case folder(String)
    }

    /// Waits until a file's bytes, those stored in a mapping among them, are on the disk.
    static func syncFile(_ descriptor: CInt, _ path: String) {
        trace?(.file(path))
        while fsync(descriptor) != 0, errno == EINTR {}
    }

    /// Waits until the names in a folder are.
    package static func syncFolder(_ path: String) {
        trace?(.folder(path))
        let descriptor = open(path.isEmpty ? "." : path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        while fsync(descriptor) != 0, errno == EINTR {}
    }

    /// The folder that a file stands in.
    package static func folder(of path: String) -> String { (path as NSString).deletingLastPathComponent }
}
