internal import Foundation

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
