internal import LogFiles
internal import TextRendering

/// Writes messages to standard error. Errors of writing are ignored; the exit code still reports the failure.
package enum StandardError {
    /// Writes text unchanged.
    package static func write(_ text: String) {
        // If standard error is closed, the text is lost.
        try? Array(text.utf8).withUnsafeBytes {
            try DescriptorBytes.write($0, to: StandardStreams.current.error, name: "standard error")
        }
    }

    /// Writes a line. On a terminal, control characters are escaped, since messages quote input.
    package static func say(_ line: String) {
        write((StandardStreams.current.isErrorTerminal ? TerminalText.shown(line) : line) + "\n")
    }
}
