#if Collector
    import ArgumentParser
    import CollectorServer
    import CommandSupport
    import Foundation

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

                Defaults for options can be set in ~/.config/collector/config or $COLLECTOR_CONFIG, with lines such as \
                'port = 9000' and sections such as [serve]. Environment variables such as COLLECTOR_PORT override the \
                file, and the command line overrides both.

                Exit codes: 0 done; 1 doctor has findings; 64 wrong usage; 65 a file is damaged; 66 input not found; \
                70 internal error; 74 a file or address cannot be used; 75 another collector has the data folder open.
                """,
            version: "0.1.0",
            subcommands: [ServeCommand.self, KeysCommand.self, SwitchesCommand.self, DoctorCommand.self],
            defaultSubcommand: ServeCommand.self)

        /// Runs the command with the arguments of this process, then exits.
        static func runProgram() async -> Never {
            Foundation.exit(await run(Array(CommandLine.arguments.dropFirst()), ProcessInfo.processInfo.environment))
        }

        private static func run(_ typed: [String], _ environment: [String: String]) async -> Int32 {
            do {
                let arguments = try PresetArguments.complete(
                    named(typed), of: Self.self, program: "collector", environment: environment)
                var command = try parseAsRoot(arguments)
                if var command = command as? any AsyncParsableCommand {
                    try await command.run()
                } else {
                    try command.run()
                }
                return ExitStatus.ok.rawValue
            } catch let failure as CommandFailure {
                complain(failure.message)
                return failure.status.rawValue
            } catch {
                let code = exitCode(for: error)
                guard code != .failure || error is ExitCode else {
                    let failure = CommandFailure(error)
                    complain(failure.message)
                    return failure.status.rawValue
                }
                let text = fullMessage(for: error)
                guard code == .validationFailure else {
                    if !text.isEmpty { print(text) }
                    return code.rawValue
                }
                complain(text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text)
                return ExitStatus.usage.rawValue
            }
        }

        /// Adds the name of the default subcommand to the arguments: each subcommand has its own defaults for options.
        private static func named(_ typed: [String]) -> [String] {
            let names = configuration.subcommands.compactMap { $0.configuration.commandName }
            guard let first = typed.first else { return ["serve"] }
            let rootOptions = [
                "help", "--help", "-h", "--version", "--generate-completion-script", "--experimental-dump-help",
            ]
            if names.contains(first) || rootOptions.contains(first) { return typed }
            return first.hasPrefix("-") ? ["serve"] + typed : typed
        }

        static func complain(_ message: String) {
            FileHandle.standardError.write(Data("collector: \(message)\n".utf8))
        }
    }

    /// The data folder.
    struct DataOptions: ParsableArguments {
        @Option(help: ArgumentHelp("Data folder; created at the first start.", valueName: "folder"))
        var data = "collector-data"
    }
#endif
