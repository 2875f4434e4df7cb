package import ArgumentParser
internal import CommandSupport
internal import Foundation

/// The command `trackctl`.
package struct Trackctl: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "trackctl",
        abstract: "Looks into logs of tracking events, checks and repairs them.",
        discussion: """
            Examples:
              trackctl tail -f events.sqlite
              trackctl dump events.sqlite --event search --since yesterday
              trackctl stats logs/ --by hour
              trackctl validate events.jsonl --schemas Schemas
              trackctl doctor events.sqlite

            An input is an event log (SQLite), a file of JSON lines, plain, gzip or zstd, a folder of such files in \
            the order of their rotation, a pattern in quotes, or - for standard input; the content decides, not the \
            name. A log may be read while an app writes it.

            A path leads to a value of an event: user_id, event.value.page, event.value.labels[0], context."my.app", \
            with quotes around a name that has other characters than letters, digits, _, -, $, @ and /. Where many \
            values can be meant, as in --fields and --redact, * is every member or element: event.value.*.

            Options have defaults in a file, ~/.config/trackctl/config or $TRACKCTL_CONFIG, with lines like \
            'schemas = Schemas' and sections like [dump]; TRACKCTL_SCHEMAS in the environment wins over it, and the \
            command line over both.

            Exit codes: 0 done; 1 a check found something; 2 delivered in part; 64 wrong usage; 65 an input is at \
            fault; 66 no such input; 69 the endpoint is away; 70 a fault of trackctl; 74 a file cannot be read or \
            written; 75 another program keeps the log locked, or writes the same file, try again; 130 ended by a \
            signal, and no half file is left.
            """,
        version: versionNumber,
        subcommands: [
            DumpCommand.self, TailCommand.self, StatsCommand.self, ReportCommand.self, ReplayCommand.self,
            ImportCommand.self, MergeCommand.self, ValidateCommand.self, AssertCommand.self, CoverageCommand.self,
            BehaviourCommand.self, GenerateCommand.self, DoctorCommand.self, PruneCommand.self, SchemaCommand.self,
            NewCommand.self,
        ]
    )

    /// The version of the program.
    static let versionNumber = "0.1.0"

    package init() {}

    /// Runs the program with the arguments of this process, and ends the process.
    package static func runProgram() async -> Never {
        // A reader that has seen enough (`trackctl dump … | head -1`) ends us without a word, as it ends cat(1);
        // whoever started us may have had the signal ignored.
        signal(SIGPIPE, SIG_DFL)
        do {
            let typed = Array(CommandLine.arguments.dropFirst())
            try CommandNames.check(typed, of: Self.self)
            let arguments = try PresetArguments.complete(
                typed, of: Self.self, environment: ProcessInfo.processInfo.environment)
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let failure as CommandFailure {
            Console.complain(failure.message)
            Foundation.exit(failure.status.rawValue)
        } catch {
            let code = exitCode(for: error)
            guard code != .failure || error is ExitCode else {
                let failure = CommandFailure(error)
                Console.complain(failure.message)
                Foundation.exit(failure.status.rawValue)
            }
            guard code == .validationFailure else { exit(withError: error) }
            // ArgumentParser's words, under our name like every other error.
            let message = fullMessage(for: error)
            Console.complain(message.hasPrefix("Error: ") ? String(message.dropFirst("Error: ".count)) : message)
            Foundation.exit(ExitStatus.usage.rawValue)
        }
        Foundation.exit(ExitStatus.ok.rawValue)
    }
}
