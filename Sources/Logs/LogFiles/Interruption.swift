internal import Dispatch
internal import Foundation
internal import Primitives

/// Whether SIGINT or SIGTERM has requested an end. The first signal requests an orderly end; a second one ends the
/// process immediately. Thread-safe.
package enum Interruption {
    private static let hasSignal = Atomic<Bool>(false)
    /// The ends of a pipe that the signal handler writes a byte to, so that poll(2) can wait for signals; -1 before
    /// ``listen()``.
    private static let readEnd = Atomic<Int32>(-1)
    private static let writeEnd = Atomic<Int32>(-1)

    /// Installs the signal handlers. Calling it again has no effect.
    package static func listen() {
        // Create the pipe here: the handler must not allocate.
        guard readEnd.load(ordering: .relaxed) < 0, !isRequested else { return }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }  // without a pipe, waits do not end early
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .releasing)
        readEnd.store(ends[0], ordering: .releasing)

        var action = sigaction()
        let handler: @convention(c) (Int32) -> Void = { _ in
            Interruption.hasSignal.store(true, ordering: .releasing)
            var byte: UInt8 = 0
            _ = write(Interruption.writeEnd.load(ordering: .relaxed), &byte, 1)
        }
        #if os(Linux)
            action.__sigaction_handler.sa_handler = handler
        #else
            action.__sigaction_u.__sa_handler = handler
        #endif
        // The first signal restores the default action.
        action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
        sigaction(SIGINT, &action, nil)
        sigaction(SIGTERM, &action, nil)
    }

    /// A descriptor that becomes readable with the first signal; -1 if there is none. Never read from it.
    static var descriptor: Int32 { readEnd.load(ordering: .acquiring) }

    package static var isRequested: Bool { hasSignal.load(ordering: .acquiring) }

    /// Waits for a duration, or until a signal arrives.
    ///
    /// - Returns: Whether the wait was not interrupted.
    package static func wait(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isRequested {
            let left = end - .now
            guard left > .zero else { return true }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // Round up, so that the wait is never too short.
            _ = poll(&entry, 1, Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up))))
        }
        return false
    }

    /// Waits until a descriptor is readable, a signal arrives, or the time is over.
    ///
    /// - Parameter milliseconds: -1 for no limit.
    /// - Returns: Whether the descriptor is readable.
    static func waitToRead(_ descriptor: Int32, milliseconds: Int32) -> Bool {
        var entries = [
            pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
            pollfd(fd: Interruption.descriptor, events: Int16(POLLIN), revents: 0),
        ]
        while !isRequested {
            let count = poll(&entries, nfds_t(entries.count), milliseconds)
            if count >= 0 || errno != EINTR { break }
        }
        return !isRequested && entries[0].revents != 0
    }
}

/// Runs a closure when a signal arrives, for callers that cannot poll ``Interruption``.
package final class InterruptionWatch {
    private let source: (any DispatchSourceRead)?

    /// Starts listening for signals.
    ///
    /// - Parameter body: Called once on a private queue, when a signal arrives, or immediately after an earlier one.
    package init(_ body: @escaping @Sendable () -> Void) {
        Interruption.listen()
        let descriptor = Interruption.descriptor
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "interruption"))
        // The byte stays in the pipe for other waiters, so cancel the source after the first event.
        source.setEventHandler {
            source.cancel()
            body()
        }
        source.resume()
        self.source = source
    }

    deinit { source?.cancel() }
}

extension Interruption {
    /// Throws if a signal has arrived.
    ///
    /// - Throws: ``LogFileError``, `interrupted`.
    package static func check() throws {
        if isRequested { throw LogFileError(.interrupted, "interrupted by a signal") }
    }
}
