internal import ArgumentParser

/// `trackctl schema`: what can be done with a folder of schemas.
struct SchemaCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "schema",
        abstract: "Checks, locks, compares and compiles the schemas of a plan.",
        discussion: """
            Examples:
              trackctl schema lint Schemas
              trackctl schema lock Schemas --check
              trackctl schema diff Schemas --against git:origin/main
              trackctl schema docs Schemas
              trackctl schema codegen --schemas Schemas --output Sources/App/Events

            A folder of schemas holds container/<version>.json, events/<name>/<version>.json and, if it has any, \
            examples/good/*.jsonl and examples/bad/*.jsonl.
            """,
        subcommands: [
            SchemaLintCommand.self,
            SchemaLockCommand.self,
            SchemaDiffCommand.self,
            SchemaDocsCommand.self,
            CodegenCommand.self,
            SchemaTestCommand.self,
        ]
    )
}
