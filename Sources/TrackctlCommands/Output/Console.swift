internal import CommandSupport
internal import Foundation

/// Standard error: complaints, and the progress of long runs if a person is watching.
final class Console {
    private static let eventsBetweenUpdates = 10_000

    private let showsProgress: Bool
    private var count = 0

    /// - Parameter sharesTerminal: Whether the events themselves go to standard output, where progress must not
    ///   stand between them if that is a terminal.
    init(sharesTerminal: Bool = false) {
        showsProgress = isatty(STDERR_FILENO) == 1 && !(sharesTerminal && isatty(STDOUT_FILENO) == 1)
    }

    /// Writes `trackctl: message`.
    static func complain(_ message: String) { write("trackctl: \(message)\n") }

    /// Writes `trackctl: message`, in place of the progress.
    func complain(_ message: String) { say("trackctl: \(message)") }

    /// Writes a line, in place of the progress.
    func say(_ line: String) {
        clearProgress()
        Self.write("\(line)\n")
    }

    /// Counts one more event.
    func countEvent() {
        count += 1
        guard showsProgress, count.isMultiple(of: Self.eventsBetweenUpdates) else { return }
        Self.write("\r\u{1B}[K\(count.grouped) events")
    }

    /// Shows how many events there were so far.
    func show(count: Int) {
        let isNew = count / Self.eventsBetweenUpdates > self.count / Self.eventsBetweenUpdates
        self.count = count
        if showsProgress && isNew { Self.write("\r\u{1B}[K\(count.grouped) events") }
    }

    /// Takes the progress off the terminal.
    func clearProgress() {
        if showsProgress && count >= Self.eventsBetweenUpdates { Self.write("\r\u{1B}[K") }
    }

    private static func write(_ text: String) { StandardError.write(text) }
}
