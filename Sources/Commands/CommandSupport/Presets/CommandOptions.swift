internal import ArgumentParser
internal import JSONLines

/// The commands and their options, as reported by ArgumentParser.
struct CommandOptions {
    /// An option that can get its value from the environment or a configuration file.
    struct Option {
        /// Without dashes.
        let name: String
        /// All spellings on the command line, with dashes.
        let spellings: [String]
        let isFlag: Bool
        let isRepeating: Bool

        /// The spelling that turns off a flag whose default is on.
        var negation: String? { spellings.first { $0 == "--no-\(name)" } }
    }

    /// By the command's name, such as `schema lint`.
    private(set) var options: [String: [Option]] = [:]

    /// Reads the options of a command and its subcommands.
    init(_ root: any ParsableCommand.Type) {
        // ArgumentParser's own JSON can always be read.
        guard let command = JSONValue(validating: root._dumpHelp().utf8)?["command"] else { return }
        add(command, path: [])
    }

    private mutating func add(_ command: JSONValue, path: [String]) {
        options[path.joined(separator: " ")] = Self.joined(Self.elements(command["arguments"]).compactMap(Self.option))
        for inner in Self.elements(command["subcommands"]) {
            guard let name = inner["commandName"]?.stringValue, name != "help" else { continue }
            add(inner, path: path + [name])
        }
    }

    private static func option(_ argument: JSONValue) -> Option? {
        let names = elements(argument["names"])
        let spellings = names.compactMap { name in
            name["name"]?.stringValue.map { (name["kind"]?.stringValue == "long" ? "--" : "-") + $0 }
        }
        guard let long = spellings.first(where: { $0.hasPrefix("--") }), !["--help", "--version"].contains(long) else {
            return nil
        }
        return Option(
            name: String(long.dropFirst(2)), spellings: spellings, isFlag: argument["kind"]?.stringValue == "flag",
            isRepeating: argument["isRepeating"] == .bool(true))
    }

    /// The options, with each flag and its `--no-` form merged.
    private static func joined(_ options: [Option]) -> [Option] {
        let flags = Set(options.filter(\.isFlag).map(\.name))
        return options.compactMap { option in
            guard option.isFlag else { return option }
            guard !option.name.hasPrefix("no-") || !flags.contains(String(option.name.dropFirst(3))) else { return nil }
            let negation = flags.contains("no-\(option.name)") ? ["--no-\(option.name)"] : []
            return Option(
                name: option.name, spellings: option.spellings + negation, isFlag: true, isRepeating: option.isRepeating
            )
        }
    }

    private static func elements(_ value: JSONValue?) -> [JSONValue] {
        if case .array(let elements)? = value { elements } else { [] }
    }

    /// The command at the start of the arguments, and how many arguments name it.
    func command(in arguments: [String]) -> (name: String, count: Int)? {
        for count in stride(from: min(2, arguments.count), through: 1, by: -1) {
            let name = arguments[..<count].joined(separator: " ")
            if options[name] != nil { return (name, count) }
        }
        return nil
    }
}
