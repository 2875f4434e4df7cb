internal import ArgumentParser
internal import CommandSupport

/// Suggests corrections for mistyped command names.
enum CommandNames {
    /// Rejects an unknown command name and suggests the nearest one.
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
                    unknown command '\(argument)'\(hint ?? "; available: \(names.joined(separator: ", "))")
                    Usage: \(path.joined(separator: " ")) <subcommand>
                    """)
            }
            command = next
            path.append(argument)
        }
    }

    /// The Levenshtein distance between two texts.
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
