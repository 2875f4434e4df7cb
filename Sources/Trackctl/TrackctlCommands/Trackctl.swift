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
            name. The folder of an app's tracker stands for events.sqlite in it. A log may be read while an app writes it. dump, tail, stats and validate also read a collector by its \
            URL, with the admin token in TRACKING_COLLECTOR_TOKEN or in --token-file.

            A path leads to a value of an event: user_id, event.value.page, event.value.labels[0], context."my.app", \
            with quotes around a name that has other characters than letters, digits, _, -, $, @ and /. Where many \
            values can be meant, as in --fields and --redact, * is every member or element: event.value.*.

            On a terminal, characters of events that would drive it (control characters, those that turn the direction of \
            text) are shown as escapes such as \\u001b; a pipe and a file get every byte as it is. Of messages that say the same \
            the first ten are shown, the others counted.

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
            BehaviourCommand.self, GenerateCommand.self, DoctorCommand.self, ReconcileCommand.self, PruneCommand.self,
            SchemaCommand.self, NewCommand.self,
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
        Foundation.exit(
            await run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
    }

    /// Runs a command on the `StandardStreams` of this task.
    ///
    /// - Parameters:
    ///   - typed: The arguments of the command line, without the program's name.
    ///   - environment: What gives options their defaults.
    /// - Returns: The exit code.
    package static func run(_ typed: [String], environment: [String: String]) async -> Int32 {
        await SelectionOptions.$now.withValue(SelectionOptions.clock) {
            await AdminToken.$environment.withValue(environment[AdminToken.variable]) {
                await runNow(typed, environment: environment)
            }
        }
    }

    private static func runNow(_ typed: [String], environment: [String: String]) async -> Int32 {
        do {
            try CommandNames.check(typed, of: Self.self)
            let arguments = try PresetArguments.complete(
                typed, of: Self.self, program: "trackctl", environment: environment)
            var command = try await asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.ok.rawValue
        } catch let failure as CommandFailure {
            Console.complain(failure.message)
            return failure.status.rawValue
        } catch let code as ExitCode {
            // It has been reported.
            return code.rawValue
        } catch {
            let code = exitCode(for: error)
            guard code != .failure else {
                let failure = CommandFailure(error)
                Console.complain(failure.message)
                return failure.status.rawValue
            }
            let text = fullMessage(for: error)
            guard code == .validationFailure else {
                if !text.isEmpty { say(text, isAsked: code == .success) }
                return code.rawValue
            }
            // ArgumentParser's words, under our name like every other error.
            Console.complain(text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text)
            return ExitStatus.usage.rawValue
        }
    }

    /// Writes what ArgumentParser answers: help that was asked for, the version, a completion script.
    private static func say(_ text: String, isAsked: Bool) {
        guard isAsked else { return StandardError.say(text) }
        let output = BufferedOutput.standardOutput()
        // As print(_:) does: who cannot be written to cannot be told.
        try? output.write(line: text.utf8)
        try? output.flush()
    }
}
