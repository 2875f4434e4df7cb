import ArgumentParser
import CrashSupport
import Foundation
internal import Primitives

/// `opening`: an app that starts a tracker and is killed before, during and after the opening of the log.
struct OpeningCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "opening", abstract: "Kill an app while its tracker opens the log, and compare after each kill.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of kills. Default 500, short 30.")
    var kills: Int?

    func validate() throws { try requireAboveZero(("--kills", kills)) }

    func run() async throws {
        try await options.run("opening") { workspace, seed, findings in
            var session = OpeningSession(
                workspace: workspace, folder: try workspace.makeFolder("log"), seed: seed)
            for run in 1...(kills ?? (options.short ? 30 : 500)) {
                try session.kill(run: run)
                guard session.failures < 20 else { throw HarnessError("20 senders failed; see \(workspace.path)") }
            }
            return try session.conclude(&findings)
        }
    }
}

/// The state between two kills.
private struct OpeningSession {
    /// When a sender is killed.
    private enum Aim: String, CaseIterable {
        case before = "before the log is open", during = "while it is opened", after = "after it was opened"
    }

    private let folder: String
    private let workspace: Workspace
    private let launcher: SenderLauncher
    private var random: SplitMix64
    private var runs: [Int: RunNotes] = [:]
    private var highest: Int64 = 0
    private var findings = Findings()
    private var kills: [Aim: Int] = [:]
    /// Events that were pending when their process was killed.
    private var pending = 0
    private(set) var failures = 0

    init(workspace: Workspace, folder: String, seed: UInt64) {
        (self.workspace, self.folder) = (workspace, folder)
        launcher = SenderLauncher(folder: folder, notes: workspace.path, lanes: 1, capacity: 20_000, seed: seed)
        random = SplitMix64(seed: seed)
    }

    private var log: String { folder + "/events.sqlite" }

    /// Starts a sender, kills it, and compares the log with the sender's notes.
    mutating func kill(run: Int) throws {
        let sender = try launcher.start(run: run, ["--starts-tracker", "--pause", "300"])
        let notebook = sender.notebook
        let aim = Aim.allCases.randomElement(using: &random) ?? .during
        switch aim {
        case .before:
            _ = sender.wait(seconds: 20, spins: true) { notebook.activity.contains(.started) }
            usleep(UInt32.random(in: 0...2_000, using: &random))
        case .during:
            _ = sender.wait(seconds: 20, spins: true) { notebook.begun(lane: 0) > 0 }
            usleep(UInt32.random(in: 0...15_000, using: &random))
        case .after:
            _ = sender.wait(seconds: 20, spins: true) { notebook.acknowledged > 0 }
            usleep(UInt32.random(in: 0...20_000, using: &random))
        }
        sender.child.kill()
        switch sender.child.wait(seconds: 20) {
        case .signalled(SIGKILL)?: break
        case let ending:
            failures += 1
            findings.add(ending == nil ? .hung : .failed, "run \(run): \(ending.map { "\($0)" } ?? "no end")")
        }
        let isOpen = notebook.acknowledged > 0
        kills[isOpen ? .after : notebook.begun(lane: 0) > 0 ? .during : .before, default: 0] += 1
        pending += notebook.begun(lane: 0) - notebook.acknowledged(lane: 0)
        runs[run] = sender.notes
        try FileManager.default.removeItem(atPath: workspace.path("notebook-\(run)"))
        // A sender that was killed before its log was open leaves no log, or an empty log.
        guard runs.values.contains(where: { $0.kept > 0 }) else { return }
        let audit = LogAudit(log, runs: runs, expecting: [run], after: highest)
        highest = audit.highest
        findings += audit.findings
    }

    /// Settles the log and compares all of it.
    mutating func conclude(_ all: inout Findings) throws -> [(String, String)] {
        let last = (runs.keys.max() ?? 0) + 1
        runs[last] = try launcher.settle(run: last, findings: &findings)
        let rows = try FinalAudit.run(
            folder: folder, workspace: workspace, runs: runs, hasCollector: false, findings: &all)
        all.complete(with: findings)
        all.requireAcknowledged(runs)
        return Aim.allCases.map { ("killed \($0.rawValue)", "\(kills[$0] ?? 0)") }
            + [("begun without a number", "\(pending)")] + rows
    }
}
