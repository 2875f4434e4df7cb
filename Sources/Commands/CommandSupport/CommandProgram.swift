package import ArgumentParser
internal import Foundation
internal import LogFiles
internal import TextRendering

/// Runs a program's root command: completes the arguments with presets, reports errors, and chooses the exit code.
package struct CommandProgram<Root: AsyncParsableCommand>: Sendable {
    /// The program's name, for the names of presets.
    private let name: String
    /// Checks the typed arguments, and may add to them.
    private let prepare: @Sendable (_ typed: [String]) throws -> [String]
    /// Reports an error, a line without the program's name.
    private let complain: @Sendable (_ message: String) -> Void
    /// Writes output of ArgumentParser: help, the version, or a completion script.
    private let write: @Sendable (_ text: String, _ isRequested: Bool) -> Void

    /// Creates a program with its own output, such as one that tests run in their process.
    package init(
        _ root: Root.Type, name: String, prepare: @escaping @Sendable (_ typed: [String]) throws -> [String],
        complain: @escaping @Sendable (_ message: String) -> Void,
        write: @escaping @Sendable (_ text: String, _ isRequested: Bool) -> Void
    ) {
        self.name = name
        self.prepare = prepare
        self.complain = complain
        self.write = write
    }

    /// Creates a program that writes to standard output and standard error, such as a server.
    package init(_ root: Root.Type, name: String) {
        self.init(
            root, name: name, prepare: Self.withDefaultSubcommand,
            complain: { StandardError.say("\(name): \($0)") }, write: { text, _ in print(text) })
    }

    /// Runs the command with the arguments and the environment of this process, then exits.
    package func run() async -> Never {
        Foundation.exit(
            await status(Array(CommandLine.arguments.dropFirst()), environment: ProcessInfo.processInfo.environment))
    }

    /// Runs the command.
    ///
    /// - Parameters:
    ///   - typed: The command-line arguments without the program's name.
    ///   - environment: The variables that set defaults of options.
    /// - Returns: The exit code.
    package func status(_ typed: [String], environment: [String: String]) async -> Int32 {
        do {
            let arguments = try PresetArguments.complete(
                prepare(typed), of: Root.self, program: name, environment: environment)
            var command = try await Root.asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            return ExitStatus.ok.rawValue
        } catch let failure as CommandFailure {
            complain(failure.message)
            return failure.status.rawValue
        } catch let code as ExitCode {
            // The error has been reported.
            return code.rawValue
        } catch {
            let code = Root.exitCode(for: error)
            guard code != .failure else {
                let failure = CommandFailure(error)
                complain(failure.message)
                return failure.status.rawValue
            }
            let text = Root.fullMessage(for: error)
            guard code == .validationFailure else {
                if !text.isEmpty { write(text, code == .success) }
                return code.rawValue
            }
            // Show ArgumentParser's messages with the same prefix as all others.
            complain(text.hasPrefix("Error: ") ? String(text.dropFirst("Error: ".count)) : text)
            return ExitStatus.usage.rawValue
        }
    }

    /// Adds the name of the default subcommand to the arguments: each subcommand has its own defaults for options.
    private static func withDefaultSubcommand(_ typed: [String]) -> [String] {
        guard let fallback = Root.configuration.defaultSubcommand?.configuration.commandName else { return typed }
        guard let first = typed.first else { return [fallback] }
        let names = Root.configuration.subcommands.compactMap { $0.configuration.commandName }
        let rootOptions = [
            "help", "--help", "-h", "--version", "--generate-completion-script", "--experimental-dump-help",
        ]
        if names.contains(first) || rootOptions.contains(first) { return typed }
        return first.hasPrefix("-") ? [fallback] + typed : typed
    }
}

/// Writes messages to standard error. Errors of writing are ignored; the exit code still reports the failure.
package enum StandardError {
    /// Writes text unchanged.
    package static func write(_ text: String) {
        // If standard error is closed, the text is lost.
        try? Array(text.utf8).withUnsafeBytes {
            try DescriptorBytes.write($0, to: StandardStreams.current.error, name: "standard error")
        }
    }

    /// Writes a line. On a terminal, control characters are escaped, since messages quote input.
    package static func say(_ line: String) {
        write((StandardStreams.current.isErrorTerminal ? TerminalText.shown(line) : line) + "\n")
    }
}
