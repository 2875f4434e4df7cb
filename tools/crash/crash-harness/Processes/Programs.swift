import Foundation

/// The programs that were built with this one, beside it.
enum Programs {
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    static var trackctl: String { "\(folder)/trackctl" }
    static var sender: String { "\(folder)/crash-sender" }
    /// Both are built for the harness `collector` only.
    static var collector: String { "\(folder)/collector" }
    static var collectorSender: String { "\(folder)/collector-sender" }
    static var harness: String { "\(folder)/crash-harness" }
    /// What `tools/crash/run` builds of `fault-injector`, in the same folder.
    static let faultInjector = "fault-injector.so"

    /// Starts programs in a PID namespace of their own.
    static let unshare = "/usr/bin/unshare"

    /// Whether this process may do so: a container's root may not always.
    static let canIsolate: Bool = {
        guard let child = try? Child(unshare, ["--pid", "--fork", "--mount-proc", "true"], errors: "/dev/null") else {
            return false
        }
        return child.wait(seconds: 10) == .exited(0)
    }()
}
