import ArgumentParser
import Foundation
internal import Primitives

/// `kill`: a sender that is repeatedly killed and restarted on the same log.
struct KillCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kill", abstract: "Kill a sender at random moments, and compare after each kill.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of kills. Default 1000, short 50.")
    var kills: Int?

    @Option(help: "Number of sending threads.")
    var lanes = 2

    func validate() throws { try requireAboveZero(("--kills", kills), ("--lanes", lanes)) }

    func run() async throws {
        try await options.run("kill") { workspace, seed, findings in
            var rest = kills ?? (options.short ? 50 : 1_000)
            var rows: [(label: String, count: Int)] = []
            var seeds = SplitMix64(seed: seed)
            var number = 0
            while rest > 0 {
                number += 1
                let folder = try workspace.makeFolder("log-\(number)")
                var session = KillSession(
                    workspace: workspace, folder: folder, lanes: lanes, seed: number == 1 ? seed : seeds.next())
                let goal = min(rest, Self.killsOfOneLog)
                while session.tally.kills < goal {
                    try session.next()
                    guard session.failures < 20 else { throw HarnessError("20 senders failed; see \(workspace.path)") }
                }
                for (label, count) in try session.conclude(&findings) {
                    let count = Int(count) ?? 0
                    if let row = rows.firstIndex(where: { $0.label == label }) {
                        rows[row].count += count
                    } else {
                        rows.append((label, count))
                    }
                }
                guard findings.isClean else { break }  // keeps its folder for inspection
                rest -= goal
                if rest > 0 { try FileManager.default.removeItem(atPath: folder) }
            }
            return rows.map { ($0.label, "\($0.count)") }
        }
    }

    /// The number of kills after which a log is compared as a whole and replaced: each opt-out rewrites the whole log,
    /// so kills of a growing log become slower.
    private static let killsOfOneLog = 500
}

/// The state between two kills.
struct KillSession {
    let workspace: Workspace
    let folder: String
    let launcher: SenderLauncher
    private(set) var tally = KillTally()
    private(set) var failures = 0
    private var random: SplitMix64
    private var runs: [Int: RunNotes] = [:]
    private var lastRun = 0
    private var ended = 0
    private var highest: Int64 = 0
    /// The errors of the comparisons right after the kills.
    private var findings = Findings()

    init(workspace: Workspace, folder: String, lanes: Int, seed: UInt64) {
        self.workspace = workspace
        self.folder = folder
        launcher = SenderLauncher(
            folder: folder, notes: workspace.path, lanes: lanes, capacity: 20_000, seed: seed, isolates: true,
            collects: true, misjudges: true)
        random = SplitMix64(seed: seed)
    }

    private var log: String { folder + "/events.sqlite" }

    /// Starts a sender, kills it, and compares.
    mutating func next() throws {
        lastRun += 1
        let aim = KillAim.draw(using: &random)
        let count = aim.eventCount(using: &random)
        var arguments = count.map { ["--events", "\($0)"] } ?? []
        // An opt-out rewrites the whole database, so it is rare. A burst fills several segments of the journal.
        if lastRun % 100 == 25 { arguments += ["--guests"] }
        if aim == .sending, lastRun % 20 == 10 {
            arguments += ["--hold-database", "--pause", "0", "--events", "3000"]
        }
        let sender = try launcher.start(run: lastRun, arguments)
        switch aim.strike(sender, using: &random) {
        case .signalled(SIGKILL)?: tally.add(sender.notebook)
        case .exited(0)?: ended += 1
        case .signalled(let signal)?:
            failures += 1
            findings.add(.trapped, "run \(lastRun): signal \(signal)")
        case .exited(let code)?:
            failures += 1
            findings.add(.failed, "run \(lastRun): exit code \(code)")
        case nil:
            failures += 1
            findings.add(.hung, "run \(lastRun)")
        }
        runs[lastRun] = sender.notes
        try FileManager.default.removeItem(atPath: workspace.path("notebook-\(lastRun)"))
        try compare()
    }

    /// Compares the last run's notes with a reader's view, before any process opens the log for writing.
    private mutating func compare() throws {
        // A sender that was killed before its first event leaves no log, or an empty log.
        guard runs.values.contains(where: { $0.kept > 0 }) else { return }
        let audit = LogAudit(log, runs: runs, expecting: [lastRun], after: highest)
        highest = audit.highest
        findings += audit.findings
        if tally.kills.isMultiple(of: 50) {
            findings += try SinkAudit(folder: folder, log: log, isFinal: false).findings
        }
        if lastRun.isMultiple(of: 100) {
            StandardOutput.note("  \(tally.kills) kills, \(audit.highest) numbers, \(findings[.lost]) lost so far")
        }
    }

    /// Settles the log and compares all of it.
    mutating func conclude(_ all: inout Findings) throws -> [(String, String)] {
        if !Programs.canIsolate { StandardOutput.note("  no second PID namespace, which needs root and unshare") }
        runs[lastRun + 1] = try launcher.settle(run: lastRun + 1, findings: &findings)
        let last = try FinalAudit.run(folder: folder, workspace: workspace, runs: runs, findings: &all)
        let lostAtOnce = findings[.lost]
        all.complete(with: findings)
        all.requireAcknowledged(runs)
        return tally.rows
            + [("senders that ended before", "\(ended)"), ("lost right after a kill", "\(lostAtOnce)")] + last
    }
}
