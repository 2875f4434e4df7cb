import ArgumentParser

/// Kills, cuts and starves the event log, and compares what it then holds with what senders were told.
@main
struct CrashHarness: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash-harness", abstract: "Proves that the event log loses nothing; tools/crash/run starts it.",
        subcommands: [
            SelfTestCommand.self, KillCommand.self, OpeningCommand.self, ProcessesCommand.self, TruncateCommand.self,
            FaultsCommand.self,
            BurstCommand.self, FullCommand.self, OutageCommand.self, CollectorCommand.self, ProbeCommand.self,
        ])
}
