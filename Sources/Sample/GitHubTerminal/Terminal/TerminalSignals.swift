internal import Foundation
internal import Synchronization

/// The signals that say something about a terminal, as bytes in a pipe: its number is all that a handler may pass on.
enum TerminalSignals {
    /// Ends the app: from the keyboard, from another program, from a terminal that is closed.
    static let ends: Set<Int32> = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private static let writeEnd = Atomic<Int32>(-1)

    /// Takes the signals from now on.
    ///
    /// - Returns: Where their numbers can be read, a byte each; -1 if the system has no pipe left.
    static func listen() -> Int32 {
        var pair: [Int32] = [-1, -1]
        guard pipe(&pair) == 0 else { return -1 }
        for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(pair[1], ordering: .releasing)
        for number in ends.union([SIGTSTP, SIGCONT, SIGWINCH]) { take(number) }
        return pair[0]
    }

    /// Lets Ctrl-Z stop the process, as if it were not listened to. Returns when it goes on.
    static func stop() {
        // The threads of tasks may block signals: raised to one of them, it would wait until it is listened to again.
        var stop = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&stop)
        sigaddset(&stop, SIGTSTP)
        pthread_sigmask(SIG_UNBLOCK, &stop, &blocked)
        signal(SIGTSTP, SIG_DFL)
        raise(SIGTSTP)
        take(SIGTSTP)
        pthread_sigmask(SIG_SETMASK, &blocked, nil)
    }

    private static func take(_ number: Int32) {
        signal(number) { number in
            let before = errno
            var byte = UInt8(truncatingIfNeeded: number)
            _ = write(TerminalSignals.writeEnd.load(ordering: .relaxed), &byte, 1)
            errno = before
        }
    }
}
