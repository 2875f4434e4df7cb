internal import Foundation

/// What keeps processes apart on one system.
public enum Container {
    /// Whether this process may start others in a PID namespace of their own.
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

    /// Why its tests are skipped.
    public static let requirement = "needs Linux, root and unshare, for PID namespaces of its own"
}
