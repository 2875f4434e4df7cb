internal import Foundation

/// The calls of a process with their times, in a file: each line is written by a single call, before or after the call that it
/// describes, so the lines survive a kill.
package final class CallJournal: Sendable {
    private let descriptor: Int32

    /// Opens or creates the file.
    ///
    /// - Throws: If the file cannot be opened.
    package init(path: String) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Adds a line: the present time, and words.
    package func note(_ words: String...) {
        let line = "\(MonotonicTime.now) \(words.joined(separator: " "))\n"
        let bytes = Array(line.utf8)
        var count = write(descriptor, bytes, bytes.count)
        while count < 0, errno == EINTR { count = write(descriptor, bytes, bytes.count) }
        // Without its journal, a process proves nothing.
        guard count == bytes.count else { _exit(71) }
    }
}

/// The time since the start of the system, which all processes share.
package enum MonotonicTime {
    /// In nanoseconds.
    package static var now: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }
}
