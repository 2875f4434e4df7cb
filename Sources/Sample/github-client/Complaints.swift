import CommandSupport
import Primitives

/// Prints problems of a run. Of messages with the same text, it prints the first few and counts the rest. Thread-safe.
final class Complaints: Sendable {
    /// How many messages with the same text are printed.
    private static let shown = 3

    private let messages = Locked(RepeatedMessages(shown: shown))

    /// Prints a line, unless the limit for its text is reached.
    func say(_ line: String) {
        if messages.withLock({ $0.admits(line) }) { StandardError.say(line) }
    }

    /// Prints the counts of the messages that were not printed.
    func sayRest() {
        for line in messages.withLock({ $0.takeRest() }) { StandardError.say(line) }
    }
}
