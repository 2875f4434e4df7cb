internal import ArgumentParser

/// `trackctl schema`: what can be done with a folder of schemas.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Checks and compares the schemas of events.",
        subcommands: [DiffCommand.self]
    )
}
