public import ArgumentParser
internal import CommandSupport

/// The command-line tool that looks into event logs.
public struct Trackctl: AsyncParsableCommand {
    public static let configuration = CommandConfiguration(
        commandName: "trackctl",
        abstract: "Looks into event logs: databases, JSON lines, compressed or not.",
        discussion: """
            EXAMPLES
              trackctl stats events.sqlite
              trackctl dump events.sqlite --event search --since 2015-01-01T00:30:00Z
              trackctl replay events.jsonl --to copy.sqlite

            Exit codes: 0 done, 64 usage, 65 data at fault, 66 no such input, 74 cannot read or write, 75 the log \
            is in use.
            """,
        version: "0.1.0",
        subcommands: [Dump.self, Replay.self, Stats.self]
    )

    public init() {}

    /// Runs a command's work and ends with its status; a failure is told on standard error.
    static func perform(_ work: () async throws -> Void) async throws {
        Console.ignoreBrokenPipes()
        do {
            try await work()
        } catch is ClosedPipe {
            // Whoever read our output has seen enough: `trackctl dump … | head`.
        } catch {
            let failure = CommandFailure(error)
            Console.report(failure.message, by: "trackctl")
            throw ExitCode(failure.status.code)
        }
    }
}
