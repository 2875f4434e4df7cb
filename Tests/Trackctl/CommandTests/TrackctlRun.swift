import CommandRunner
import Foundation
import LogFiles
import Testing
import TrackctlCommands

/// Runs `trackctl` within this process, with a pipe and two files as its standard streams: a command reads, writes and
/// exits as in a separate process, without the time that a process needs to start.
///
/// In a test with the trait `.builtProgram` the same call starts the program. So do all calls if the variable
/// `TRACKING_BUILT_PROGRAM` is set.
///
/// - Parameters:
///   - stdin: What it reads from standard input.
///   - environment: Set in addition to the variables of this process, which give options their values.
func trackctl(
    _ arguments: [String], stdin: [UInt8] = [], environment: [String: String] = [:]
) async throws -> CommandResult {
    guard !BuiltProgramTrait.isUsed else {
        return try await runCommand("trackctl", arguments, stdin: stdin, environment: environment)
    }
    let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    return try await captureRun(stdin: stdin) { input, output, error in
        await StandardStreams.$current.withValue(StandardStreams(input: input, output: output, error: error)) {
            await Trackctl.run(arguments, environment: variables)
        }
    }
}

/// Lets ``trackctl(_:stdin:)`` start the built program, for tests that depend on the process: a log that this process
/// has open, the width of a terminal, memory that is never given back.
struct BuiltProgramTrait: TestTrait, SuiteTrait, TestScoping {
    @TaskLocal static var isUsed = ProcessInfo.processInfo.environment["TRACKING_BUILT_PROGRAM"] != nil

    let isRecursive = true

    func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @Sendable () async throws -> Void
    ) async throws {
        try await Self.$isUsed.withValue(true) { try await function() }
    }
}

extension Trait where Self == BuiltProgramTrait {
    /// Starts the built program.
    static var builtProgram: Self { Self() }
}
