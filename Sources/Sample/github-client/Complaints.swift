import CommandSupport
import Primitives

/// What a run says of its input and of what it could not do, from any thread: of messages that say the same the first
/// ones, and at the end how many more there were.
final class Complaints: Sendable {
    /// How many messages that say the same are said.
    private static let shown = 3

    private let messages = Locked(RepeatedMessages(shown: shown))

    /// Says a line, unless enough that say the same were said.
    func say(_ line: String) {
        if messages.withLock({ $0.admits(line) }) { StandardError.say(line) }
    }

    /// Says how many more there were.
    func sayRest() {
        for line in messages.withLock({ $0.takeRest() }) { StandardError.say(line) }
    }
}
