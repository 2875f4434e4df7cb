internal import CommandSupport
internal import Foundation

/// Standard error: complaints, and the progress of long runs if a person is watching.
final class Console {
    private static let bytesBetweenUpdates = 16 << 20

    private let showsProgress: Bool
    private var bytes = 0
    private var isShown = false

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

    /// Counts bytes that were read.
    func count(bytes: Int) {
        let before = self.bytes / Self.bytesBetweenUpdates
        self.bytes += bytes
        guard showsProgress, self.bytes / Self.bytesBetweenUpdates > before else { return }
        isShown = true
        Self.write("\r\u{1B}[K\((self.bytes >> 20).grouped) MiB read")
    }

    /// Takes the progress off the terminal.
    func clearProgress() {
        if isShown { Self.write("\r\u{1B}[K") }
        isShown = false
    }

    private static func write(_ text: String) { StandardError.write(text) }
}
