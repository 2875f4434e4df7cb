internal import Foundation

/// The descriptors of standard input, output and error: the process's own, unless a task has others.
///
/// With others, a test runs a command in its own process and reads what the command wrote:
///
/// ```swift
/// await StandardStreams.$current.withValue(StandardStreams(input: 5, output: 6, error: 7)) { … }
/// ```
///
/// A thread that a command starts inherits nothing: pass ``current`` to the thread.
package struct StandardStreams: Sendable {
    /// The streams of this task.
    @TaskLocal package static var current = StandardStreams(
        input: STDIN_FILENO, output: STDOUT_FILENO, error: STDERR_FILENO)

    /// What `-` names as an input.
    package let input: Int32
    /// Where results go.
    package let output: Int32
    /// Where errors and progress go.
    package let error: Int32

    /// Names three open descriptors, which stay the caller's to close.
    package init(input: Int32, output: Int32, error: Int32) {
        self.input = input
        self.output = output
        self.error = error
    }

    /// Whether standard output is a terminal.
    package var isOutputTerminal: Bool { isatty(output) == 1 }

    /// Whether standard error is a terminal.
    package var isErrorTerminal: Bool { isatty(error) == 1 }
}
