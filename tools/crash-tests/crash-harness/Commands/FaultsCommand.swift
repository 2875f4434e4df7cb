import ArgumentParser
import CrashSupport
import Foundation

/// `faults`: a sender whose system calls fail, and what the log holds after an undisturbed run.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults", abstract: "Makes system calls of a sender fail, and compares after a run without.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "How often each rule is tried, at other times each. Default 20, short 1.")
    var rounds: Int?

    @Option(help: "Only this system call.")
    var call: String?

    func run() async throws {
        try await options.run("faults") { workspace, seed, findings in
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
                print("faults: there is no strace. Install the Debian package:  sudo apt-get install strace")
                throw ExitCode(69)
            }
            var chance = SeededGenerator(seed: seed)
            let rules = FaultRule.all.filter { call == nil || $0.call == call }
            var session = FaultSession(workspace: workspace, seed: seed)
            for _ in 0..<(rounds ?? (options.short ? 1 : 20)) {
                for rule in rules { try session.attempt(rule.timed(using: &chance)) }
            }
            findings += session.findings
            return session.rows
        }
    }
}

/// The trials so far.
struct FaultSession {
    let workspace: Workspace
    let seed: UInt64
    private(set) var findings = Findings()
    private var trials = 0
    private var acknowledged = 0
    private var refused = 0
    private var withError = 0
    private var strikes: [String: Int] = [:]
    private var faulty: [String: Int] = [:]

    init(workspace: Workspace, seed: UInt64) {
        self.workspace = workspace
        self.seed = seed
    }

    /// Tries a rule on a log of its own, which is kept if anything is wrong with it.
    mutating func attempt(_ rule: FaultRule) throws {
        trials += 1
        let home = try workspace.makeFolder("trial-\(trials)")
        let folder = try workspace.makeFolder("trial-\(trials)/log")
        let real = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        var trial = FaultTrial(rule: rule, folder: real, notes: home, seed: seed &+ UInt64(trials))
        try trial.run()
        var found = trial.findings
        _ = try FinalAudit.run(folder: real, workspace: workspace, runs: trial.runs, findings: &found)
        found.prefix(with: "trial \(trials), \(rule)")
        findings += found
        acknowledged += trial.runs.values.reduce(0) { $0 + $1.kept }
        refused += trial.runs.values.reduce(0) { $0 + $1.refused }
        withError += trial.endedWithError ? 1 : 0
        let kind = "\(rule.call) \(rule.error ?? "falls short")"
        strikes[kind, default: 0] += trial.strikes
        faulty[kind, default: 0] += found.isClean ? 0 : 1
        if found.isClean {
            try FileManager.default.removeItem(atPath: home)
        } else {
            StandardOutput.note("  trial \(trials), \(rule): \(found.counts.map { "\($0.key.rawValue) \($0.value)" })")
        }
    }

    var rows: [(String, String)] {
        let kinds = strikes.sorted { $0.key < $1.key }.map { kind, count in
            ("  \(kind)", "struck \(count) times" + (faulty[kind, default: 0] > 0 ? ", FAULTS" : ""))
        }
        return [("trials", "\(trials)")] + kinds + [
            ("senders that ended with an error", "\(withError)"), ("acknowledged", "\(acknowledged)"),
            ("refused", "\(refused)"),
        ]
    }
}
