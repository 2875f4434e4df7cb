internal import Foundation

/// A temporary folder with its own file system, which is unmounted with it. Needs root and Linux.
final class MountedFolder: Sendable {
    let path: String
    private let folder: TemporaryFolder

    /// Mounts a file system with options of mount(8).
    init(_ type: String, options: String) async throws {
        folder = try TemporaryFolder()
        path = folder.path
        let result = try await runProgram("/usr/bin/mount", ["-t", type, "-o", options, type, path])
        guard result.exitCode == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        // Lazily, because a process of the test may still have a file open.
        #if os(Linux)
            umount2(path, Int32(MNT_DETACH))
        #endif
    }
}

/// An overlay over a folder, which is not changed, as in a container's image. Needs root and Linux.
public final class Overlay: Sendable {
    /// The mount point.
    public var path: String { mounted.path }
    private let mounted: MountedFolder

    /// Mounts an overlay.
    public init(lower: String, upper: String, work: String) async throws {
        mounted = try await MountedFolder("overlay", options: "lowerdir=\(lower),upperdir=\(upper),workdir=\(work)")
    }
}
