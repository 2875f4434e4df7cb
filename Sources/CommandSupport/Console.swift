internal import Foundation

/// Standard output and standard error of a command.
public enum Console {
    /// Writes a message for people: `command: message` on standard error.
    public static func report(_ message: String, by command: String) {
        // Nobody is left to tell if standard error is gone.
        try? FileHandle.standardError.write(contentsOf: Data("\(command): \(message)\n".utf8))
    }

    /// Lets a write to a closed pipe be an error instead of the end of the process, so that it can be told apart.
    public static func ignoreBrokenPipes() { signal(SIGPIPE, SIG_IGN) }
}
