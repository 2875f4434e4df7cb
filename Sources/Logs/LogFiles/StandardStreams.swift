internal import Foundation

/// The descriptors of standard input, output and error. Tasks can override those of the process.
///
/// Overriding lets a test run a command in its own process and read the command's output:
///
/// ```swift
/// await StandardStreams.$current.withValue(StandardStreams(input: 5, output: 6, error: 7)) { … }
/// ```
///
/// Threads do not inherit the override: pass ``current`` to threads that you start.
package struct StandardStreams: Sendable {
    /// The streams of the current task.
    @TaskLocal package static var current = StandardStreams(
        input: STDIN_FILENO, output: STDOUT_FILENO, error: STDERR_FILENO)

    /// Standard input, which `-` names.
    package let input: Int32
    package let output: Int32
    /// Standard error, for messages and progress.
    package let error: Int32

    /// Creates a value from three open descriptors. The caller keeps ownership of them.
    package init(input: Int32, output: Int32, error: Int32) {
        self.input = input
        self.output = output
        self.error = error
    }

    package var isOutputTerminal: Bool { isatty(output) == 1 }

    package var isErrorTerminal: Bool { isatty(error) == 1 }
}
