internal import ArgumentParser
internal import CommandSupport
internal import EventModel
internal import JSONLines

/// The commands and their options, as ArgumentParser tells them.
struct CommandOptions {
    /// An option that may be given a value from elsewhere.
    struct Option {
        /// Without dashes.
        let name: String
        /// Everything it is called on the command line, with dashes.
        let spellings: [String]
        let isFlag: Bool
        let isRepeating: Bool

        /// What turns a flag off that may be on without being asked.
        var negation: String? { spellings.first { $0 == "--no-\(name)" } }
    }

    /// By the command's name, such as `schema lint`.
    private(set) var options: [String: [Option]] = [:]

    /// Asks a command.
    init(_ root: any ParsableCommand.Type) {
        // ArgumentParser's own JSON can always be read.
        guard let command = (try? JSONParser.parse(root._dumpHelp().utf8))?["command"] else { return }
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

    /// The options, of which a flag and what turns it off are one.
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

    /// The command that arguments begin with, and how many of them name it.
    func command(in arguments: [String]) -> (name: String, count: Int)? {
        for count in stride(from: min(2, arguments.count), through: 1, by: -1) {
            let name = arguments[..<count].joined(separator: " ")
            if options[name] != nil { return (name, count) }
        }
        return nil
    }
}

/// Options in whose values a fault has a place.
enum TypedOption {
    /// Reads a value.
    ///
    /// - Throws: `ValidationError` that shows what was typed, with a mark under the place of the fault.
    static func read<Value>(
        _ text: String, _ make: (String) throws(TypedTextError) -> Value
    ) throws -> Value {
        do { return try make(text) } catch { throw ValidationError(error.description) }
    }
}

/// The names of commands, as people mistype them.
enum CommandNames {
    /// Refuses a name that no command has, and says which one may have been meant.
    ///
    /// - Throws: ``CommandFailure``, `usage`.
    static func check(_ arguments: [String], of root: any ParsableCommand.Type) throws {
        var command = root
        var path = [command.configuration.commandName ?? ""]
        for argument in arguments {
            let inner = command.configuration.subcommands
            guard !inner.isEmpty, !argument.hasPrefix("-"), argument != "help" else { return }
            guard let next = inner.first(where: { $0.configuration.commandName == argument }) else {
                let names = inner.compactMap { $0.configuration.commandName }
                let near = names.min { distance($0, argument) < distance($1, argument) }
                let hint = near.flatMap { distance($0, argument) <= 2 ? ": did you mean \($0)?" : nil }
                throw CommandFailure(
                    .usage,
                    """
                    there is no command '\(argument)'\(hint ?? "; there are \(names.joined(separator: ", "))")
                    Usage: \(path.joined(separator: " ")) <subcommand>
                    """)
            }
            command = next
            path.append(argument)
        }
    }

    /// How many characters must be added, left out or replaced to make one of the other (Levenshtein).
    private static func distance(_ left: String, _ right: String) -> Int {
        var row = Array(0...right.count)
        for (index, character) in left.enumerated() {
            var diagonal = row[0]
            row[0] = index + 1
            for (column, other) in right.enumerated() {
                let above = row[column + 1]
                row[column + 1] = character == other ? diagonal : 1 + min(diagonal, above, row[column])
                diagonal = above
            }
        }
        return row[right.count]
    }
}
