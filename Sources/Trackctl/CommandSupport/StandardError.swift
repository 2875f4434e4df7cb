internal import LogFiles
internal import TextRendering

/// Where commands complain. A closed standard error leaves nobody to tell; the exit code still says it.
package enum StandardError {
    /// Writes text as it is.
    package static func write(_ text: String) {
        try? Array(text.utf8).withUnsafeBytes {
            try DescriptorBytes.write($0, to: StandardStreams.current.error, name: "standard error")
        }
    }

    /// Writes a line. On a terminal, what would drive it is shown as an escape: lines quote what was read.
    package static func say(_ line: String) {
        write((StandardStreams.current.isErrorTerminal ? TerminalText.shown(line) : line) + "\n")
    }
}
