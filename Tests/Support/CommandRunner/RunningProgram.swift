internal import Foundation
internal import Primitives

/// A program that was started and goes on beside the test, whose lines are waited for, never the clock.
package final class RunningProgram: Sendable {
    private let process: Process
    private let exit: AsyncStream<CommandExit>
    /// The lines of its standard output, as they come. For one reader.
    package let lines: AsyncStream<String>
    private let errorLines: AsyncStream<String>
    private let lineCounter = LineCounter()

    /// Starts a command that this package built.
    ///
    /// - Throws: ``CommandLocation/NotBuilt``, or an error of starting it.
    package convenience init(command: String, _ arguments: [String]) throws {
        try self.init(try CommandLocation.path(of: command), arguments)
    }

    /// Starts a program.
    ///
    /// - Parameter path: The program's path; not searched for.
    /// - Throws: An error of starting it.
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
        // The threads of tests block signals, and a program begins with what its starter blocks.
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

    /// How many lines it has written to standard output so far, read or not.
    package var lineCount: Int { lineCounter.count.load(ordering: .relaxed) }

    /// The next line of its standard output; nil if it ends before.
    package func nextLine() async -> String? { await lines.first { _ in true } }

    /// The next line of its standard error; nil if it ends before.
    package func nextErrorLine() async -> String? { await errorLines.first { _ in true } }

    /// Sends a signal, such as `SIGINT`.
    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Sends a signal as soon as something is true that the program does, and that nobody tells: a file that grows. A
    /// thread of its own looks every two milliseconds and sends it, so that busy tests do not make it late.
    ///
    /// - Returns: false if the program has ended without it, or lives for five minutes without it.
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

    /// Waits for its end. Standard output is ``lines``; of standard error it gives what was not read before.
    package func end() async -> CommandResult {
        let end = await exit.first { _ in true }
        let stderr = await errorLines.reduce(into: "") { $0 += $1 + "\n" }
        return CommandResult(exitCode: end?.code ?? -1, signal: end?.signal, stdout: [], stderr: stderr)
    }
}

private final class LineCounter: Sendable {
    let count = Atomic(0)
}
