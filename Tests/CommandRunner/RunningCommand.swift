internal import Foundation

/// A command that runs while the test goes on: its lines are waited for, never the clock.
package final class RunningCommand: Sendable {
    private let process: Process
    private let output: LineReader
    private let errors: LineReader
    private let exit: AsyncStream<CommandExit>

    /// Starts a command that this package built.
    ///
    /// - Throws: ``CommandLocation/NotBuilt``, or an error of starting it.
    package init(_ name: String, _ arguments: [String]) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: try CommandLocation.path(of: name))
        process.arguments = arguments
        let (stdout, stderr) = (Pipe(), Pipe())
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = stdout
        process.standardError = stderr
        exit = AsyncStream { continuation in
            process.terminationHandler = { process in
                continuation.yield(CommandExit(process))
                continuation.finish()
            }
        }
        try process.run()
        self.process = process
        output = LineReader(stdout.fileHandleForReading)
        errors = LineReader(stderr.fileHandleForReading)
    }

    /// The next line of its standard output; nil if it ends before.
    package func nextLine() async -> String? { await output.next() }

    /// The next line of its standard error; nil if it ends before.
    package func nextErrorLine() async -> String? { await errors.next() }

    /// Sends a signal, such as `SIGINT`.
    package func send(_ signal: Int32) { kill(process.processIdentifier, signal) }

    /// Waits until it has ended.
    ///
    /// - Returns: Its exit code, or nil if a signal ended it.
    package func waitForEnd() async -> Int32? {
        let end = await exit.first { _ in true }
        return end?.signal == nil ? end?.code : nil
    }
}

/// The lines of a pipe, read by a thread of their own.
private final class LineReader: Sendable {
    private let lines: AsyncStream<String>

    init(_ handle: FileHandle) {
        lines = AsyncStream { continuation in
            Thread.detachNewThread {
                var pending: [UInt8] = []
                while true {
                    let data = handle.availableData
                    if data.isEmpty { break }
                    pending += data
                    while let end = pending.firstIndex(of: 0x0A) {
                        continuation.yield(String(decoding: pending[..<end], as: UTF8.self))
                        pending.removeSubrange(...end)
                    }
                }
                continuation.finish()
            }
        }
    }

    func next() async -> String? {
        for await line in lines { return line }
        return nil
    }
}
