import CommandSupport

await CommandProgram(CollectorCommand.self, name: "collector").run()
