internal import Foundation

/// The result of a command.
package struct CommandResult: Sendable {
    /// The exit code; 0 if a signal ended the command.
    package let exitCode: Int32
    /// The signal that ended the command, if any.
    package let signal: Int32?
    /// The exact bytes of standard output.
    package let stdout: [UInt8]
    /// Standard error as text.
    package let stderr: String

    /// Standard output as text.
    package var text: String { String(decoding: stdout, as: UTF8.self) }

    /// The lines of standard output, without their line feeds.
    package var lines: [String] { stdout.textLines }
}

/// How a process ended.
struct CommandExit: Sendable {
    let code: Int32
    let signal: Int32?

    init(_ process: Process) {
        let wasKilled = process.terminationReason == .uncaughtSignal
        code = wasKilled ? 0 : process.terminationStatus
        signal = wasKilled ? process.terminationStatus : nil
    }
}
