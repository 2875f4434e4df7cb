import CommandSupport

await CommandProgram(LoaderCommand.self, name: "loader").run()
