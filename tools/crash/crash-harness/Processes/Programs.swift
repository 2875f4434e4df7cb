import Foundation

/// The programs that were built together with this program, in the same folder.
enum Programs {
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    static var trackctl: String { "\(folder)/trackctl" }
    static var sender: String { "\(folder)/crash-sender" }
    /// Built for the harnesses `collector` and `erasure`.
    static var collector: String { "\(folder)/collector" }
    static var collectorSender: String { "\(folder)/collector-sender" }
    /// Built for the harness `erasure` only.
    static var loader: String { "\(folder)/loader" }
    /// Built for the harnesses `consent`, `erasure`, `starts` and `pairs`.
    static var trackerSender: String { "\(folder)/tracker-sender" }
    static var harness: String { "\(folder)/crash-harness" }
    /// The library `fault-injector`, which `tools/crash/run` builds in the same folder.
    static let faultInjector = "fault-injector.so"

    /// Starts programs in a separate PID namespace.
    static let unshare = "/usr/bin/unshare"

    /// Whether this process has permission for that: root in a container may lack it.
    static let canIsolate: Bool = {
        guard let child = try? Child(unshare, ["--pid", "--fork", "--mount-proc", "true"], errors: "/dev/null") else {
            return false
        }
        return child.wait(seconds: 10) == .exited(0)
    }()
}
