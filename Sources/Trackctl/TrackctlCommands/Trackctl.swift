package import ArgumentParser
internal import CommandSupport
internal import Foundation

/// The `trackctl` command.
package struct Trackctl: AsyncParsableCommand {
    package static let configuration = CommandConfiguration(
        commandName: "trackctl",
        abstract: "Inspect, check, repair and replay event logs.",
        discussion: """
            Examples:
              trackctl tail -f events.sqlite
              trackctl dump events.sqlite --event search --since yesterday
              trackctl stats logs/ --by hour
              trackctl validate events.jsonl --schemas Schemas
              trackctl doctor events.sqlite

            An input is an event log (SQLite), a file of JSON lines (plain, gzip or zstd), a folder of such files, a \
            quoted glob pattern, or - for standard input. The files of a folder are read in the order of their \
            rotation. The content determines the format, not the name. If you pass a tracker's folder, its \
            events.sqlite is read. You can read a log while an app writes it. dump, tail, stats and validate also read \
            a collector by its URL, with the admin token in TRACKING_COLLECTOR_TOKEN or --token-file.

            A path selects a value of an event: user_id, event.value.page, event.value.labels[0], context."my.app". \
            Quote names that contain characters other than letters, digits, _, -, $, @ and /. Where several values \
            are allowed, as in --fields and --redact, * matches every member or element: event.value.*.

            On a terminal, control and text-direction characters in events are shown as escapes such as \\u001b; pipes \
            and files receive unchanged bytes. Only the first ten messages of each kind are shown; the rest are \
            counted.

            Defaults for options can be set in ~/.config/trackctl/config or $TRACKCTL_CONFIG, with lines such as \
            'schemas = Schemas' and sections such as [dump]. Environment variables such as TRACKCTL_SCHEMAS override \
            the file, and the command line overrides both.

            \(ExitStatus.list([
                .ok: "done", .findings: "a check has findings", .partly: "partly delivered", .usage: "wrong usage",
                .dataError: "invalid input", .noInput: "input not found", .unavailable: "endpoint unavailable",
                .software: "internal error", .inputOutput: "a file cannot be read or written",
                .busy: "another program has locked the log or is writing the same file: try again",
                .interrupted: "interrupted by a signal, no incomplete file was left",
            ]))
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

    /// Runs the program with the arguments of this process, and exits.
    package static func runProgram() async -> Never {
        // Restore the default action of SIGPIPE, which the parent process may have ignored: a closed pipe (`trackctl
        // dump … | head -1`) then ends the process silently, as for cat(1).
        signal(SIGPIPE, SIG_DFL)
        Foundation.exit(
            await run(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
    }

    private static let program = CommandProgram(
        Self.self, name: "trackctl",
        prepare: { typed in
            try CommandNames.check(typed, of: Self.self)
            return typed
        }, complain: Console.complain, write: say)

    /// Runs a command on the `StandardStreams` of the current task.
    ///
    /// - Parameters:
    /// - typed: The command-line arguments without the program's name.
    /// - environment: The variables that set defaults of options.
    /// - Returns: The exit code.
    package static func run(_ typed: [String], environment: [String: String]) async -> Int32 {
        await SelectionOptions.$now.withValue(SelectionOptions.clock) {
            await AdminToken.$environment.withValue(environment[AdminToken.variable]) {
                await program.status(typed, environment: environment)
            }
        }
    }

    /// Writes output of ArgumentParser: help, the version, or a completion script.
    private static func say(_ text: String, isRequested: Bool) {
        guard isRequested else { return StandardError.say(text) }
        let output = BufferedOutput.standardOutput()
        do {
            try output.write(line: text.utf8)
            try output.flush()
        } catch {}  // The rest of the text is lost, as with print(_:), if the reader has closed standard output.
    }
}
