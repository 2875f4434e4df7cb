internal import Foundation

/// A file system of a given size, for tests of full disks. Needs root and Linux.
public final class SmallDisk: Sendable {
    /// The mount point.
    public var path: String { mounted.path }
    private let mounted: MountedFolder

    /// Whether this process can mount one: root in a container may lack the permission.
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

    /// The reason for skipped tests.
    public static let requirement = "needs Linux and root, to mount a file system of a given size"

    /// Mounts an empty file system.
    ///
    /// - Parameter kilobytes: The size.
    public init(kilobytes: Int) async throws {
        mounted = try await MountedFolder("tmpfs", options: "size=\(kilobytes)k")
    }

    /// Changes the size.
    public func resize(kilobytes: Int) async throws {
        let result = try await runProgram("/usr/bin/mount", ["-o", "remount,size=\(kilobytes)k", path])
        guard result.exitCode == 0 else { throw CocoaError(.fileWriteUnknown) }
    }
}

/// Isolated processes on one system.
public enum Container {
    /// Whether this process can start processes in a separate PID namespace.
    public static let isAvailable: Bool = {
        guard SmallDisk.isAvailable, FileManager.default.isExecutableFile(atPath: "/usr/bin/unshare") else {
            return false
        }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
        process.arguments = ["--pid", "--fork", "--mount-proc", "true"]
        guard (try? process.run()) != nil else { return false }
        process.waitUntilExit()
        return process.terminationStatus == 0
    }()

    /// The reason for skipped tests.
    public static let requirement = "needs Linux, root and unshare, to create PID namespaces"
}
