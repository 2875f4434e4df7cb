internal import Foundation

/// A file system of a given size, to be filled up. Needs root and Linux.
public final class SmallDisk: Sendable {
    /// Where it is mounted.
    public var path: String { mounted.path }
    private let mounted: MountedFolder

    /// Whether this process may make one: a container's root may not always.
    public static let isAvailable: Bool = {
        #if os(Linux)
            guard getuid() == 0, FileManager.default.isExecutableFile(atPath: "/usr/bin/mount"),
                let folder = try? TemporaryFolder(), mount("tmpfs", folder.path, "tmpfs", 0, "size=4k") == 0
            else { return false }
            return umount2(folder.path, Int32(MNT_DETACH)) == 0
        #else
            return false
        #endif
    }()

    /// Why its tests are skipped.
    public static let requirement = "needs Linux and root, to mount a file system of a given size"

    /// Mounts an empty file system.
    ///
    /// - Parameter kilobytes: Its size.
    public init(kilobytes: Int) async throws {
        mounted = try await MountedFolder("tmpfs", options: "size=\(kilobytes)k")
    }

    /// Makes room.
    public func resize(kilobytes: Int) async throws {
        let result = try await runProgram("/usr/bin/mount", ["-o", "remount,size=\(kilobytes)k", path])
        guard result.exitCode == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}
