import CommandSupport

await ServerProgram.run(LoaderCommand.self, program: "loader")
