internal import Foundation

/// The file that gives options their values when neither the command line nor the environment does.
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
/// Of `trackctl` it is `$TRACKCTL_CONFIG`, else `trackctl/config` in `$XDG_CONFIG_HOME`, else `~/.config/trackctl/config`
/// (<https://specifications.freedesktop.org/basedir-spec/latest>).
struct ConfigurationFile {
    /// A value and where it stands.
    struct Setting {
        /// The command that it is for, such as `schema lint`; nil for all.
        let command: String?
        /// The option's name without dashes.
        let option: String
        let value: String
        /// `config:3`, as messages name it.
        let location: String
    }

    let settings: [Setting]

    /// Reads the file, if there is one.
    ///
    /// - Throws: ``CommandFailure``: `noInput` for a file that the environment names and is not there, `inputOutput`,
    ///   `usage` for a line that is none.
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
                throw CommandFailure(.noInput, "there is no file \(path), which \(variable) names: check the path")
            }
            settings = []
            return
        }
        guard let text = FileManager.default.contents(atPath: path) else {
            throw CommandFailure(.inputOutput, "\(path) cannot be read: check its permissions")
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
                    throw CommandFailure(.usage, "\(location): expected ']' behind the command's name")
                }
                command = line.dropFirst().dropLast().split(separator: " ").joined(separator: " ")
                continue
            }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else {
                throw CommandFailure(.usage, "\(location): expected 'option = value', a [command] or a # comment")
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
