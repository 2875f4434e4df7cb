import ArgumentParser
import Foundation

/// `processes`: several concurrent senders on one log and one sink, all repeatedly killed and restarted.
struct ProcessesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "processes", abstract: "Send into one log from several processes, kill them, and compare.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of processes.")
    var writers = 2

    @Option(help: "Events per process. Default 200000, short 5000.")
    var sends: Int?

    @Option(help: "Kills per process. Default 100, short 10.")
    var kills: Int?

    func validate() throws { try requireAboveZero(("--writers", writers), ("--sends", sends)) }

    func run() async throws {
        try await options.run("processes") { workspace, seed, findings in
            let folder = try workspace.makeFolder("log")
            var outcomes: [WriterSlot.Outcome] = []
            for isQuiet in [false, true] {
                let slots = (1...writers).map { number in
                    WriterSlot(
                        number: number, folder: folder, notes: workspace.path,
                        sends: sends ?? (options.short ? 5_000 : 200_000), kills: kills ?? (options.short ? 10 : 100),
                        seed: seed, isQuiet: isQuiet)
                }
                outcomes += try await withThrowingTaskGroup(of: WriterSlot.Outcome.self) { group in
                    for slot in slots { group.addTask { try await slot.work() } }
                    return try await group.reduce(into: []) { $0.append($1) }
                }
            }
            var tally = KillTally()
            var runs: [Int: RunNotes] = [:]
            for outcome in outcomes {
                tally += outcome.tally
                findings += outcome.findings
                runs.merge(outcome.runs) { _, new in new }
            }
            let launcher = SenderLauncher(folder: folder, notes: workspace.path, seed: seed, collects: true)
            runs[1] = try launcher.settle(run: 1, findings: &findings)
            findings.requireAcknowledged(runs)
            let last = try FinalAudit.run(folder: folder, workspace: workspace, runs: runs, findings: &findings)
            let sent = outcomes.map { "\($0.sent)" }.joined(separator: " + ")
            return [("sent by the processes", sent)] + tally.rows + last
        }
    }
}
