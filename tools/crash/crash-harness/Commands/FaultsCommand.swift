import ArgumentParser
import Foundation
internal import Primitives

/// `faults`: a sender with failing system calls, and the log after an undisturbed run.
struct FaultsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "faults", abstract: "Make system calls of a sender fail, and compare after an undisturbed run.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of trials of each rule, at different moments. Default 20, short 1, or 4 of write.")
    var rounds: Int?

    @Option(help: "Test only this system call.")
    var call: String?

    func validate() throws {
        try requireAboveZero(("--rounds", rounds))
        if let call, !FaultRule.calls.contains(call) {
            throw ValidationError("no rule for '\(call)'; use \(FaultRule.calls.joined(separator: ", "))")
        }
    }

    /// The default number of trials. Half of the writes of a sender are to the lock of the sink, not to its file.
    private func rounds(of rule: FaultRule) -> Int { options.short ? rule.call == "write" ? 4 : 1 : 20 }

    func run() async throws {
        try await options.run("faults") { workspace, seed, findings in
            guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
                print("faults: cannot find strace; install the Debian package:  sudo apt-get install strace")
                throw ExitCode(69)
            }
            var random = SplitMix64(seed: seed)
            let rules = FaultRule.all.filter { call == nil || $0.call == call }
            var session = FaultSession(workspace: workspace, seed: seed)
            for rule in rules {
                for _ in 0..<(rounds ?? self.rounds(of: rule)) { try session.attempt(rule.timed(using: &random)) }
            }
            session.conclude(rules)
            findings += session.findings
            return session.rows
        }
    }
}

/// The trials so far.
struct FaultSession {
    /// The latest affected call is the thirtieth; halved four times it is the first.
    private static let maximumTrials = 8

    let workspace: Workspace
    let seed: UInt64
    private(set) var findings = Findings()
    private var trials = 0
    private var acknowledged = 0
    private var refused = 0
    private var withError = 0
    private var tried: [String: Int] = [:]
    private var strikes: [String: Int] = [:]
    private var faulty: [String: Int] = [:]

    init(workspace: Workspace, seed: UInt64) {
        self.workspace = workspace
        self.seed = seed
    }

    /// Tries a rule until it affects a call, starting at an earlier call each time.
    mutating func attempt(_ rule: FaultRule) throws {
        var rule = rule
        for _ in 0..<Self.maximumTrials {
            guard try tryOnce(rule) == 0 else { return }
            rule.first = max(rule.first / 2, 1)
        }
    }

    /// A rule that never affected a call shows nothing.
    mutating func conclude(_ rules: [FaultRule]) {
        if trials == 0 { findings.add(.failed, "no rule was tried; use at least one round and one rule") }
        for rule in rules where strikes[rule.kind, default: 0] == 0 {
            findings.add(
                .failed,
                """
                \(rule.kind): struck no call in \(tried[rule.kind, default: 0]) trials, so nothing was shown. \
                Repeat it with --call \(rule.call) --rounds 20; if it stays so, see whether strace or \
                fault-injector still strikes, and whether the log still makes this call: if not, take the rule \
                out of FaultRule.all
                """)
        }
    }

    /// Tries a rule on a separate log, which is kept if it has errors. Returns how often the rule affected a call.
    private mutating func tryOnce(_ rule: FaultRule) throws -> Int {
        trials += 1
        let home = try workspace.makeFolder("trial-\(trials)")
        let folder = try workspace.makeFolder("trial-\(trials)/log")
        let real = URL(fileURLWithPath: folder).resolvingSymlinksInPath().path
        var trial = FaultTrial(rule: rule, folder: real, notes: home, seed: seed &+ UInt64(trials))
        try trial.run()
        var found = trial.findings
        _ = try FinalAudit.run(
            folder: real, workspace: workspace, runs: trial.runs, hasCollector: false, findings: &found)
        found.prefix(with: "trial \(trials), \(rule)")
        findings += found
        acknowledged += trial.runs.values.reduce(0) { $0 + $1.kept }
        refused += trial.runs.values.reduce(0) { $0 + $1.refused }
        withError += trial.endedWithError ? 1 : 0
        tried[rule.kind, default: 0] += 1
        strikes[rule.kind, default: 0] += trial.strikes
        faulty[rule.kind, default: 0] += found.isClean ? 0 : 1
        if found.isClean {
            try FileManager.default.removeItem(atPath: home)
        } else {
            StandardOutput.note("  trial \(trials), \(rule): \(found.counts.map { "\($0.key.rawValue) \($0.value)" })")
        }
        return trial.strikes
    }

    var rows: [(String, String)] {
        let kinds = strikes.sorted { $0.key < $1.key }.map { kind, count -> (String, String) in
            let wrong = count == 0 ? ", NEVER" : faulty[kind, default: 0] > 0 ? ", FAULTS" : ""
            return ("  \(kind)", "applied \(count) times in \(tried[kind, default: 0]) trials" + wrong)
        }
        return [("trials", "\(trials)")] + kinds + [
            ("senders that ended with an error", "\(withError)"), ("acknowledged", "\(acknowledged)"),
            ("refused", "\(refused)"),
        ]
    }
}
