import Foundation

/// A file system of a given size, to be filled up. Needs root and Linux.
public final class SmallDisk: Sendable {
    /// Where it is mounted.
    public let path: String
    private let folder: TemporaryFolder

    /// Whether this process may make one.
    public static var isAvailable: Bool {
        getuid() == 0 && FileManager.default.isExecutableFile(atPath: "/usr/bin/mount")
    }

    /// Mounts an empty file system.
    ///
    /// - Parameter kilobytes: Its size.
    public init(kilobytes: Int) throws {
        folder = try TemporaryFolder()
        path = folder.path
        let result = try CommandRunner.run(
            "/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path])
        guard result.exitCode == 0 else { throw CocoaError(.fileWriteUnknown) }
    }

    deinit {
        // Lazily: a process of the test may still hold a file in it.
        _ = try? CommandRunner.run("/usr/bin/umount", ["-l", path])
    }

    /// Makes room.
    public func resize(kilobytes: Int) throws {
        let result = try CommandRunner.run("/usr/bin/mount", ["-o", "remount,size=\(kilobytes)k", path])
        guard result.exitCode == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
