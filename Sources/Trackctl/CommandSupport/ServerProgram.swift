package import ArgumentParser
internal import Foundation

/// Runs the root command of a program that has a default subcommand, such as a server.
package enum ServerProgram {
    /// Runs the command with the arguments and the environment of this process, then exits.
    ///
    /// - Parameter program: The program's name, for messages and for the names of presets.
    package static func run(_ root: (some ParsableCommand).Type, program: String) async -> Never {
        Foundation.exit(
            await status(
                of: root, program: program, typed: Array(CommandLine.arguments.dropFirst()),
                environment: ProcessInfo.processInfo.environment))
    }

    private static func status<Root: ParsableCommand>(
        of root: Root.Type, program: String, typed: [String], environment: [String: String]
    ) async -> Int32 {
        func complain(_ message: String) { StandardError.say("\(program): \(message)") }
        do {
            let arguments = try PresetArguments.complete(
                named(typed, root), of: root, program: program, environment: environment)
            var command = try root.parseAsRoot(arguments)
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
            let code = root.exitCode(for: error)
            guard code != .failure || error is ExitCode else {
                let failure = CommandFailure(error)
                complain(failure.message)
                return failure.status.rawValue
            }
            let text = root.fullMessage(for: error)
            guard code == .validationFailure else {
                if !text.isEmpty { print(text) }
                return code.rawValue
            }
            // Show ArgumentParser's messages with the same prefix as all others.
            complain(text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text)
            return ExitStatus.usage.rawValue
        }
    }

    /// Adds the name of the default subcommand to the arguments: each subcommand has its own defaults for options.
    private static func named(_ typed: [String], _ root: (some ParsableCommand).Type) -> [String] {
        guard let fallback = root.configuration.defaultSubcommand?.configuration.commandName else { return typed }
        guard let first = typed.first else { return [fallback] }
        let names = root.configuration.subcommands.compactMap { $0.configuration.commandName }
        let rootOptions = [
            "help", "--help", "-h", "--version", "--generate-completion-script", "--experimental-dump-help",
        ]
        if names.contains(first) || rootOptions.contains(first) { return typed }
        return first.hasPrefix("-") ? [fallback] + typed : typed
    }
}
