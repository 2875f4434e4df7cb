internal import Foundation
internal import Synchronization

/// Tells a process from the child that it forked, without a system call.
enum ForkGuard {
    private static let count = Atomic(0)

    private static let isInstalled: Bool = {
        pthread_atfork(nil, nil) { ForkGuard.count.wrappingAdd(1, ordering: .relaxed) }
        return true
    }()

    /// Another number in a forked child.
    @inline(__always)
    static var generation: Int { count.load(ordering: .relaxed) }

    /// Starts the counting of forks. Must be called once before the first fork that matters.
    static func install() { _ = isInstalled }
}
