internal import Foundation

/// The configuration file. Its values apply to options that neither the command line nor the environment sets.
///
/// ```ini
/// # for every command that has the option
/// schemas = Schemas
/// color = never
///
/// [dump]
/// redact = user_id=hash
/// redact = event.value.query
///
/// [schema lint]
/// format = github
/// ```
///
/// The path for `trackctl` is `$TRACKCTL_CONFIG`, else `$XDG_CONFIG_HOME/trackctl/config`, else
/// `~/.config/trackctl/config` (<https://specifications.freedesktop.org/basedir-spec/latest>).
struct ConfigurationFile {
    /// A value and its location.
    struct Setting {
        /// The command that the setting applies to, such as `schema lint`; nil for all commands.
        let command: String?
        /// The option's name without dashes.
        let option: String
        let value: String
        /// The location in messages: `config:3`.
        let location: String
    }

    let settings: [Setting]

    /// Reads the file, if it exists.
    ///
    /// - Throws: ``CommandFailure``: `noInput` if the environment names a file that does not exist, `inputOutput`,
    ///   `usage` for a malformed line.
    init(of program: String, environment: [String: String]) throws {
        let variable = PresetArguments.configurationVariable(of: program)
        let named = environment[variable]
        let folder =
            environment["XDG_CONFIG_HOME"].flatMap { $0.isEmpty ? nil : $0 }
            ?? environment["HOME"].map { $0 + "/.config" }
        guard let path = named ?? folder.map({ $0 + "/\(program)/config" }), !path.isEmpty else {
            settings = []
            return
        }
        guard FileManager.default.fileExists(atPath: path) else {
            guard named == nil else {
                throw CommandFailure(.noInput, "cannot open \(path): no such file; check the path in \(variable)")
            }
            settings = []
            return
        }
        guard let text = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputOutput, "cannot read \(path): check its permissions")
        }
        settings = try Self.settings(String(decoding: text, as: UTF8.self), path)
    }

    private static func settings(_ text: String, _ path: String) throws -> [Setting] {
        var command: String?
        var settings: [Setting] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated() {
            let line = line.trimmingCharacters(in: .whitespaces)
            let location = "\(path):\(index + 1)"
            if line.isEmpty || line.hasPrefix("#") { continue }
            if line.hasPrefix("[") {
                guard line.hasSuffix("]") else {
                    throw CommandFailure(.usage, "\(location): expected ']' after the command's name")
                }
                command = line.dropFirst().dropLast().split(separator: " ").joined(separator: " ")
                continue
            }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw CommandFailure(.usage, "\(location): expected 'option = value', [command] or # comment")
            }
            let option = parts[0].trimmingCharacters(in: .whitespaces)
            settings.append(
                Setting(
                    command: command, option: option, value: parts[1].trimmingCharacters(in: .whitespaces),
                    location: location
                ))
        }
        return settings
    }
}
