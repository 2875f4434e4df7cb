internal import ArgumentParser

/// `trackctl schema`: what can be done with a folder of schemas.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Checks, locks and documents the schemas of a tracking plan; tests the validator.",
        discussion: """
            Examples:
              trackctl schema lint Schemas
              trackctl schema lock Schemas --check
              trackctl schema docs Schemas

            A folder of schemas holds container/<version>.json, events/<name>/<version>.json and, if it has any, \
            examples/good/*.jsonl and examples/bad/*.jsonl.
            """,
        subcommands: [
            SchemaLintCommand.self,
            SchemaLockCommand.self,
            SchemaDocsCommand.self,
            SchemaTestCommand.self,
        ]
    )
}
