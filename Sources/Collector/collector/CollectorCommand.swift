import ArgumentParser
import CommandSupport

/// The command `collector`.
struct CollectorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collector",
        abstract: "Receive tracking events over HTTP, and respond once they are on disk.",
        discussion: """
            Examples:
              collector                                  serve on 127.0.0.1:8787, with data in collector-data
              collector --data /var/lib/collector --schemas Schemas --port 9000
              collector keys add my-app --data /var/lib/collector
              collector doctor --data /var/lib/collector
              collector limits                           what a client may send, and what happens beyond it

            Defaults for options can be set in ~/.config/collector/config or $COLLECTOR_CONFIG, with lines such as \
            'port = 9000' and sections such as [serve]. Environment variables such as COLLECTOR_PORT override the \
            file, and the command line overrides both.

            \(ExitStatus.list([
                .ok: "done", .findings: "doctor has findings", .usage: "wrong usage", .dataError: "a file is damaged",
                .noInput: "input not found", .software: "internal error",
                .inputOutput: "a file or address cannot be used",
                .busy: "another collector has the data folder open",
            ]))
            """,
        version: "0.1.0",
        subcommands: [
            ServeCommand.self, KeysCommand.self, SwitchesCommand.self, DoctorCommand.self, LimitsCommand.self,
        ],
        defaultSubcommand: ServeCommand.self)
}

struct DataOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Data folder; created at the first start.", valueName: "folder"))
    var data = "collector-data"
}
