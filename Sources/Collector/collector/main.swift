import CommandSupport

await ServerProgram.run(CollectorCommand.self, program: "collector")
