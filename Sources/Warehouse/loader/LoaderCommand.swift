#if NATS
    import ArgumentParser
    import CommandSupport
    import Foundation

    /// The command `loader`.
    struct LoaderCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "loader",
            abstract: "Write events from JetStream to ClickHouse and to folders, each exactly once.",
            discussion: """
                Examples:
                  loader --stream nats://127.0.0.1:4222 --folder /var/lib/events
                  loader --stream nats://a:4222,nats://b:4222 --partitions 0-7 --clickhouse http://127.0.0.1:8123
                  loader --print-ddl
                  loader erase --user-file user.txt --stream nats://127.0.0.1:4222 --clickhouse http://127.0.0.1:8123

                Several loaders share the work: give each its own partitions. On one machine they may share the --state \
                folder, in which each partition is locked. A partition must have one loader at a time. After a crash, start the loader again with the same state.

                Defaults for options can be set in ~/.config/loader/config or $LOADER_CONFIG. Environment variables such as \
                LOADER_STREAM override the file, and the command line overrides both. Set the password of ClickHouse in \
                LOADER_CLICKHOUSE_PASSWORD.

                Exit codes: 0 done, or ended by a signal; 1 an erased user still has events; 64 wrong usage, also servers \
                that are too old or settings that differ; 65 messages or rows have changed; 66 the stream or a file does not \
                exist; 69 a server is unavailable at the start; 70 internal error; 74 a file cannot be used; 75 another \
                loader uses the state.
                """,
            version: "0.1.0", subcommands: [RunCommand.self, EraseCommand.self], defaultSubcommand: RunCommand.self)

        /// Runs the command with the arguments of this process, then exits.
        static func runProgram() -> Never {
            let arguments = Array(CommandLine.arguments.dropFirst())
            Foundation.exit(run(arguments, ProcessInfo.processInfo.environment))
        }

        private static func run(_ typed: [String], _ environment: [String: String]) -> Int32 {
            do {
                let arguments = try PresetArguments.complete(
                    named(typed), of: Self.self, program: "loader", environment: environment)
                var command = try parseAsRoot(arguments)
                try command.run()
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
            guard let first = typed.first else { return ["run"] }
            let rootOptions = [
                "help", "--help", "-h", "--version", "--generate-completion-script", "--experimental-dump-help",
            ]
            if names.contains(first) || rootOptions.contains(first) { return typed }
            return first.hasPrefix("-") ? ["run"] + typed : typed
        }

        private static func complain(_ message: String) {
            FileHandle.standardError.write(Data("loader: \(message)\n".utf8))
        }
    }
#endif
