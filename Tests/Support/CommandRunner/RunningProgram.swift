internal import Foundation
internal import Primitives

/// A program that runs in parallel to the test. The test waits for its lines, never for the clock.
package final class RunningProgram: Sendable {
    private let process: Process
    private let exit: AsyncStream<CommandExit>
    /// The lines of standard output, as they arrive. For one reader.
    package let lines: AsyncStream<String>
    private let errorLines: AsyncStream<String>
    private let lineCounter = LineCounter()

    /// Starts a command of this package.
    ///
    /// - Throws: ``CommandLocation/NotBuilt``, or an error from starting the command.
    package convenience init(command: String, _ arguments: [String]) throws {
        try self.init(try CommandLocation.path(of: command), arguments)
    }

    /// Starts a program.
    ///
    /// - Parameter path: The program's path; `PATH` is not searched.
    /// - Throws: An error from starting the program.
    package init(_ path: String, _ arguments: [String]) throws {
        let process = Process()
        self.process = process
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let (output, errors) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = output
        process.standardError = errors
        exit = AsyncStream { continuation in
            process.terminationHandler = { process in
                continuation.yield(CommandExit(process))
                continuation.finish()
            }
        }
        // The threads of tests block signals, and a program inherits its parent's blocked signals.
        var none = sigset_t()
        var blocked = sigset_t()
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
        let counter = lineCounter
        lines = PipeEnd(output.fileHandleForReading).lines { counter.count.wrappingAdd(1, ordering: .relaxed) }
        errorLines = PipeEnd(errors.fileHandleForReading).lines()
    }

    deinit { if process.isRunning { process.terminate() } }

    /// The number of lines written to standard output so far, including unread lines.
    package var lineCount: Int { lineCounter.count.load(ordering: .relaxed) }

    /// The next line of standard output; nil at its end.
    package func nextLine() async -> String? { await lines.first { _ in true } }

    /// The next line of standard error; nil at its end.
    package func nextErrorLine() async -> String? { await errorLines.first { _ in true } }

    /// Sends a signal, such as `SIGINT`.
    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Sends a signal as soon as a condition is true that the program does not report, such as the size of a file. A
    /// separate thread checks every two milliseconds and sends the signal, so that busy tests don't delay it.
    ///
    /// - Returns: false if the program ends first, or the condition is not true within five minutes.
    package func send(_ signal: Int32, when isTrue: @escaping @Sendable () -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { [process] in
                let deadline = ContinuousClock.now + .seconds(300)
                while !isTrue() {
                    guard process.isRunning, ContinuousClock.now < deadline else {
                        return continuation.resume(returning: false)
                    }
                    usleep(2000)
                }
                kill(process.processIdentifier, signal)
                continuation.resume(returning: true)
            }
        }
    }

    /// Waits for the program's end. The result has no standard output, see ``lines``, and the unread part of standard
    /// error.
    package func end() async -> CommandResult {
        let end = await exit.first { _ in true }
        let stderr = await errorLines.reduce(into: "") { $0 += $1 + "\n" }
        return CommandResult(exitCode: end?.code ?? -1, signal: end?.signal, stdout: [], stderr: stderr)
    }
}

private final class LineCounter: Sendable {
    let count = Atomic(0)
}
