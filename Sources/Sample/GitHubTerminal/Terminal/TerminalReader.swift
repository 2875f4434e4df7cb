internal import Foundation

/// Reads what is typed, and which signals come, on a thread of its own that lasts as long as the process.
enum TerminalReader {
    /// Starts reading.
    ///
    /// - Parameters:
    ///   - signals: Where signals' numbers can be read.
    ///   - receive: Told of everything in its order, on that thread.
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

    /// What can be read at once; nil at the end.
    private static func bytes(of descriptor: Int32) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count > 0 { return Array(buffer.prefix(count)) }
            guard count < 0, errno == EINTR else { return nil }
        }
    }
}
