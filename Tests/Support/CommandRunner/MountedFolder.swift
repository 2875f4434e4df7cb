internal import Foundation

/// A temporary folder with a file system of its own, which goes with it. Needs root and Linux.
final class MountedFolder: Sendable {
    let path: String
    private let folder: TemporaryFolder

    /// Mounts a file system, by the options of mount(8).
    init(_ type: String, options: String) async throws {
        folder = try TemporaryFolder()
        path = folder.path
        let result = try await runProgram("/usr/bin/mount", ["-t", type, "-o", options, type, path])
        guard result.exitCode == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        // Lazily: a process of the test may still hold a file in it.
        #if os(Linux)
            umount2(path, Int32(MNT_DETACH))
        #endif
    }
}
