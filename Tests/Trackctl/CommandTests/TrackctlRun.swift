import CommandRunner
import Foundation
import LogFiles
import TrackctlCommands

/// Runs `trackctl` within this process, with pipes and files as its standard streams: what a command reads, writes and
/// answers is the same as in a process of its own.
///
/// What belongs to a process takes the built program, by `runCommand("trackctl", …)`: signals, the environment, the
/// working directory, users, terminals, a log that another process has open.
func trackctl(_ arguments: [String], stdin: [UInt8] = []) async throws -> CommandResult {
    try await captureRun(stdin: stdin) { input, output, error in
        await StandardStreams.$current.withValue(StandardStreams(input: input, output: output, error: error)) {
            await Trackctl.run(arguments, environment: ProcessInfo.processInfo.environment)
        }
    }
}
