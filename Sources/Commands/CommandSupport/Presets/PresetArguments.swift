package import ArgumentParser
internal import Foundation

/// Adds the options that the environment and the configuration file set to a command's arguments. The command line
/// overrides the environment; the environment overrides the file.
///
/// `TRACKCTL_DUMP_OUTPUT=table` in the environment means `trackctl dump --output table`; `TRACKCTL_OUTPUT=table`
/// applies to every command with the option. Flags take `true` or `false`.
package enum PresetArguments {
    private static func prefix(of program: String) -> String { program.uppercased() + "_" }

    /// The variable that names the configuration file. It sets no option.
    static func configurationVariable(of program: String) -> String { prefix(of: program) + "CONFIG" }

    /// The arguments with the added options, which follow the command's name.
    ///
    /// - Parameters:
    /// - program: The program's name, such as `trackctl`. Prefixes the variables and names the configuration folder.
    /// - others: Variables with the prefix that set no option.
    /// - Throws: ``CommandFailure``: see ``ConfigurationFile/init(environment:)``; `usage` for an unknown option.
    package static func complete(
        _ arguments: [String], of root: any ParsableCommand.Type, program: String, others: Set<String> = [],
        environment: [String: String]
    ) throws -> [String] {
        let file = try ConfigurationFile(of: program, environment: environment)
        let others = others.union([configurationVariable(of: program)])
        let prefix = prefix(of: program)
        let variables = environment.filter { $0.key.hasPrefix(prefix) && !others.contains($0.key) }
        guard !file.settings.isEmpty || !variables.isEmpty else { return arguments }
        let commands = CommandOptions(root)
        try check(file, commands: commands, program: program)
        guard let command = commands.command(in: arguments) else { return arguments }

        let typed = arguments.dropFirst(command.count)
        var added: [String] = []
        for option in commands.options[command.name] ?? [] where !isGiven(option, in: typed) {
            if let (variable, value) = variable(option, of: command.name, prefix: prefix, in: variables) {
                added += try spelled(option, value, location: variable)
            } else {
                added += try settings(for: option, of: command.name, in: file).flatMap {
                    try spelled(option, $0.value, location: $0.location)
                }
            }
        }
        return arguments.prefix(command.count) + added + typed
    }

    private static func check(_ file: ConfigurationFile, commands: CommandOptions, program: String) throws {
        for setting in file.settings {
            if let command = setting.command, commands.options[command] == nil {
                throw CommandFailure(.usage, "\(setting.location): unknown command '\(command)'")
            }
            let among = setting.command.map { commands.options[$0] ?? [] } ?? commands.options.values.flatMap { $0 }
            guard among.contains(where: { $0.name == setting.option }) else {
                let owner = setting.command.map { "\(program) \($0)" } ?? "every command"
                throw CommandFailure(.usage, "\(setting.location): unknown option '\(setting.option)' for \(owner)")
            }
        }
    }

    /// Whether the command line has an option, in any of its spellings.
    private static func isGiven(_ option: CommandOptions.Option, in arguments: ArraySlice<String>) -> Bool {
        arguments.prefix { $0 != "--" }.contains { argument in
            option.spellings.contains { spelling in
                argument == spelling || argument.hasPrefix(spelling + "=")
                    || (!spelling.hasPrefix("--") && argument.hasPrefix(spelling) && !argument.hasPrefix("--"))
            }
        }
    }

    /// The value that the environment sets. A variable for the command overrides one for all commands.
    private static func variable(
        _ option: CommandOptions.Option, of command: String, prefix: String, in variables: [String: String]
    ) -> (name: String, value: String)? {
        for name in ["\(command) \(option.name)", option.name] {
            let key = prefix + name.uppercased().map { $0.isLetter || $0.isNumber ? String($0) : "_" }.joined()
            if let value = variables[key], !value.isEmpty { return (key, value) }
        }
        return nil
    }

    /// The file's settings for an option. The command's section overrides the general part; if the option takes one
    /// value, the last setting counts.
    private static func settings(
        for option: CommandOptions.Option, of command: String, in file: ConfigurationFile
    ) -> [ConfigurationFile.Setting] {
        let own = file.settings.filter { $0.option == option.name && $0.command == command }
        let settings = own.isEmpty ? file.settings.filter { $0.option == option.name && $0.command == nil } : own
        return option.isRepeating ? settings : settings.suffix(1)
    }

    private static func spelled(_ option: CommandOptions.Option, _ value: String, location: String) throws -> [String] {
        guard option.isFlag else { return ["--\(option.name)=\(value)"] }
        switch value.lowercased() {
        case "true", "yes", "1", "on": return ["--\(option.name)"]
        case "false", "no", "0", "off": return [option.negation].compactMap(\.self)
        default: throw CommandFailure(.usage, "\(location): --\(option.name) is a flag: write true or false")
        }
    }
}
