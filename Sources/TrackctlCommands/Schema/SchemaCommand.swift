internal import ArgumentParser

/// `trackctl schema`: works on a folder of schemas.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Works on a folder of schemas.",
        subcommands: [CodegenCommand.self]
    )
}
