import ArgumentParser

/// Kills, damages and starves the event log, and compares its contents with the senders' notes.
@main
struct CrashHarness: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crash-harness", abstract: "Test that the event log loses no events. Started by tools/crash/run.",
        subcommands: [
            SelfTestCommand.self, KillCommand.self, OpeningCommand.self, ProcessesCommand.self, TruncateCommand.self,
            FaultsCommand.self,
            BurstCommand.self, FullCommand.self, OutageCommand.self, CollectorCommand.self, ProbeCommand.self,
        ])
}
