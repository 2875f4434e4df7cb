import Foundation

/// The programs that were built with this one, beside it.
enum Programs {
    static let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
        .deletingLastPathComponent().path

    static var trackctl: String { "\(folder)/trackctl" }
    static var sender: String { "\(folder)/crash-sender" }
    static var harness: String { "\(folder)/crash-harness" }
    /// What `tools/crash/run` builds of `fault-injector`, in the same folder.
    static let faultInjector = "fault-injector.so"
}
