internal import Dispatch
internal import Foundation
internal import Primitives

/// Whether somebody has asked the program to come to an end, by SIGINT or SIGTERM. The first time it is asked for, it ends
/// when it can; the second time the system ends it. Safe from any thread.
package enum Interruption {
    private static let isAsked = Atomic<Bool>(false)
    /// The ends of a pipe into which a byte is written when a signal comes, so that whoever waits for something else can
    /// wait for it, too; -1 until it is made.
    private static let readEnd = Atomic<Int32>(-1)
    private static let writeEnd = Atomic<Int32>(-1)

    /// Takes the signals from now on. Several times is as good as once.
    package static func listen() {
        // Asked for here, so that the handler, which must not allocate, finds it made.
        guard readEnd.load(ordering: .relaxed) < 0, !isRequested else { return }
        var ends: [Int32] = [-1, -1]
        guard pipe(&ends) == 0 else { return }  // without one, a wait lasts until something else ends it
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        writeEnd.store(ends[1], ordering: .releasing)
        readEnd.store(ends[0], ordering: .releasing)

        var action = sigaction()
        let handler: @convention(c) (Int32) -> Void = { _ in
            Interruption.isAsked.store(true, ordering: .releasing)
            var byte: UInt8 = 0
            _ = write(Interruption.writeEnd.load(ordering: .relaxed), &byte, 1)
        }
        #if os(Linux)
            action.__sigaction_handler.sa_handler = handler
        #else
            action.__sigaction_u.__sa_handler = handler
        #endif
        // The default comes back with the first one.
        action.sa_flags = Int32(truncatingIfNeeded: SA_RESETHAND)
        sigaction(SIGINT, &action, nil)
        sigaction(SIGTERM, &action, nil)
    }

    /// What can be read once a signal has come, and is never read; -1 if there is none.
    static var descriptor: Int32 { readEnd.load(ordering: .acquiring) }

    /// Whether a signal has come.
    package static var isRequested: Bool { isAsked.load(ordering: .acquiring) }

    /// Waits so long, or until a signal comes.
    ///
    /// - Returns: Whether no signal has come.
    package static func wait(_ duration: Duration) -> Bool {
        let end = ContinuousClock.now + duration
        while !isRequested {
            let left = end - .now
            guard left > .zero else { return true }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            // Rounded up: it must not return before the time.
            _ = poll(&entry, 1, Int32(clamping: Int64((left / .milliseconds(1)).rounded(.up))))
        }
        return false
    }

    /// Waits until a descriptor can be read, or a signal comes, or so much time has passed.
    ///
    /// - Parameter milliseconds: -1 for any time.
    /// - Returns: Whether the descriptor can be read.
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

/// Does something when a signal asks the program to come to an end, for whoever cannot look at ``Interruption`` in time.
package final class InterruptionWatch {
    private let source: (any DispatchSourceRead)?

    /// Listens to signals.
    ///
    /// - Parameter body: Called on a thread of its own, once, when a signal comes or if one has come.
    package init(_ body: @escaping @Sendable () -> Void) {
        Interruption.listen()
        let descriptor = Interruption.descriptor
        guard descriptor >= 0 else {
            source = nil
            return
        }
        let source = DispatchSource.makeReadSource(
            fileDescriptor: descriptor, queue: DispatchQueue(label: "interruption"))
        // What can be read stays there for others who wait: it is told once.
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
    /// Ends what a signal has interrupted.
    ///
    /// - Throws: ``LogFileError``, `interrupted`, if one has come.
    package static func check() throws {
        if isRequested { throw LogFileError(.interrupted, "ended by a signal") }
    }
}
