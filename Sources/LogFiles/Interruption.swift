internal import Foundation
internal import Synchronization

/// Whether somebody has asked the program to come to an end, by SIGINT or SIGTERM. The first time it is asked for, it ends
/// when it can; the second time the system ends it.
package enum Interruption {
    private static let isAsked = Atomic<Bool>(false)

    /// Takes the signals from now on.
    package static func listen() {
        var action = sigaction()
        #if os(Linux)
            action.__sigaction_handler.sa_handler = { _ in Interruption.isAsked.store(true, ordering: .relaxed) }
        #else
            action.__sigaction_u.__sa_handler = { _ in Interruption.isAsked.store(true, ordering: .relaxed) }
        #endif
        // The default comes back with the first one; a read that waits ends with EINTR.
        action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
        sigaction(SIGINT, &action, nil)
        sigaction(SIGTERM, &action, nil)
    }

    /// Whether a signal has come.
    package static var isRequested: Bool { isAsked.load(ordering: .relaxed) }
}
