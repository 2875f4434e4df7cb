internal import Foundation
internal import Primitives

/// An input of the browser.
enum TerminalInput: Equatable, Sendable {
    /// Typed bytes.
    case bytes([UInt8])
    /// A signal arrived.
    case signal(Int32)
    /// The state of the app changed.
    case changed
    /// The terminal was closed.
    case ended
}

/// Reads typed bytes and signals, on a thread that lives as long as the process.
enum TerminalReader {
    /// Starts reading.
    ///
    /// - Parameters:
    ///   - signals: A descriptor from which the numbers of signals can be read.
    ///   - receive: Called with each input in order, on the thread.
    static func start(signals: Int32, receive: @escaping @Sendable (TerminalInput) -> Void) {
        Thread.detachNewThread {
            var entries = [
                pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
                pollfd(fd: signals, events: Int16(POLLIN), revents: 0),
            ]
            while true {
                if poll(&entries, nfds_t(entries.count), -1) < 0, errno != EINTR { return receive(.ended) }
                if entries[1].revents != 0 { bytes(of: signals)?.forEach { receive(.signal(Int32($0))) } }
                guard entries[0].revents != 0 else { continue }
                guard let typed = bytes(of: STDIN_FILENO) else { return receive(.ended) }
                receive(.bytes(typed))
            }
        }
    }

    /// The available bytes; nil at the end.
    private static func bytes(of descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer.prefix(count)) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}

/// The signals that concern a terminal, as bytes in a pipe: a signal handler may only pass the number.
enum TerminalSignals {
    /// Signals that end the app: from the keyboard, from another program, or from a closed terminal.
    static let ends: Set<Int32> = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private static let writeEnd = Atomic<Int32>(-1)

    /// Handles the signals from now on.
    ///
    /// - Returns: A descriptor from which the signals' numbers can be read, one byte each; -1 if the system has no pipe
    ///   left.
    static func listen() -> Int32 {
        var pair: [Int32] = [-1, -1]
        guard pipe(&pair) == 0 else { return -1 }
        for end in pair { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(pair[1], ordering: .releasing)
        for number in ends.union([SIGTSTP, SIGCONT, SIGWINCH]) { take(number) }
        return pair[0]
    }

    /// Stops the process, as Ctrl-Z does by default. Returns when the process continues.
    static func stop() {
        // The threads of tasks may block signals: a signal raised to such a thread would wait until it is unblocked.
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
