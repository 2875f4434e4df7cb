import ArgumentParser
import CrashSupport
import Foundation
internal import Primitives

/// `collector`: a collector with a failing disk, and senders behind a bad network, all killed repeatedly.
struct CollectorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "collector",
        abstract: """
            Kill a collector and its senders at random moments, with a bad network and a failing disk, and compare.
            """)

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of kills. Default 400, short 20.")
    var kills: Int?

    @Option(help: "Number of senders.")
    var senders = 3

    func validate() throws { try requireAboveZero(("--kills", kills), ("--senders", senders)) }

    func run() async throws {
        try await options.run("collector") { workspace, seed, findings in
            var session = try CollectorSession(workspace: workspace, senders: senders, seed: seed)
            let goal = kills ?? (options.short ? 20 : 400)
            for number in 1...goal {
                try session.next(&findings)
                if number.isMultiple(of: 50) {
                    StandardOutput.note("  \(number) kills, \(session.network.answers.receipts) receipts")
                }
                guard findings.isClean else { break }
            }
            return try session.conclude(&findings)
        }
    }
}

/// The state between two kills.
struct CollectorSession {
    let workspace: Workspace
    let network: FaultyNetwork
    private let collector: CollectorProcess
    private let epoch = Int64(Date().timeIntervalSince1970)
    private let seed: UInt64
    private var random: SplitMix64
    private var logs: [String] = []
    private var running: [Sender] = []
    private var runs: [[Int: RunNotes]]
    private var lastRun = 0
    private var kills: [String: Int] = [:]

    private struct Sender {
        let run: Int
        let notebook: Notebook
        let child: Child
    }

    init(workspace: Workspace, senders: Int, seed: UInt64) throws {
        self.workspace = workspace
        self.seed = seed
        random = SplitMix64(seed: seed)
        network = try FaultyNetwork(seed: seed &+ 1)
        collector = CollectorProcess(workspace)
        runs = Array(repeating: [:], count: senders)
        try collector.start()
        network.connect(to: try collector.awaitPort())
        for index in 0..<senders {
            logs.append(try workspace.makeFolder("log-\(index)"))
            running.append(try start(index))
        }
    }

    private mutating func start(_ index: Int, _ arguments: [String] = []) throws -> Sender {
        lastRun += 1
        let path = workspace.path("notebook-\(lastRun)")
        let notebook = try Notebook(creating: path, lanes: 1, capacity: 100_000)
        let child = try Child(
            Programs.collectorSender,
            [
                "--folder", logs[index], "--notebook", path, "--run", "\(lastRun)",
                "--seed", "\(SplitMix64.mixed(seed &+ UInt64(lastRun)))", "--url",
                "http://127.0.0.1:\(network.port)/v1/events", "--key", collector.writeKey, "--epoch", "\(epoch)",
            ] + arguments, errors: workspace.path("senders.log"))
        return Sender(run: lastRun, notebook: notebook, child: child)
    }

    /// Kills a process at a random moment, and starts its successor.
    mutating func next(_ findings: inout Findings) throws {
        usleep(UInt32(random.below(400_000)))
        if random.happens(50) { try killCollector(&findings) } else { try killSender(&findings) }
    }

    private mutating func killCollector(_ findings: inout Findings) throws {
        note(collector.kill(), "collectors killed", &findings)
        network.connect(to: nil)
        let held = network.answers.held
        try collector.start(rule())
        if random.happens(20) {
            // While it opens the folder.
            usleep(UInt32(random.below(300_000)))
            let end = collector.kill()
            if !collector.isFailedStart(end) { note(end, "  while they started", &findings) }
            try collector.start(rule())
        }
        network.connect(to: try collector.awaitPort())
        try collector.check(held, &findings)
    }

    /// The calls of the next collector that fail, if any.
    private mutating func rule() -> FaultRule? {
        guard random.happens(60) else { return nil }
        return FaultRule.ofCollector.randomElement(using: &random)?.timed(using: &random)
    }

    private mutating func killSender(_ findings: inout Findings) throws {
        let index = random.below(running.count)
        running[index].child.kill()
        note(running[index].child.wait(seconds: 60), "senders killed", &findings)
        keep(running[index], of: index)
        running[index] = try start(index)
    }

    private mutating func note(_ end: ChildEnd?, _ what: String, _ findings: inout Findings) {
        if end == .signalled(SIGKILL) {
            kills[what, default: 0] += 1
        } else {
            findings.add(.failed, "\(what): a process \(end.map { "\($0)" } ?? "did not end") by itself")
        }
    }

    private mutating func keep(_ sender: Sender, of index: Int) {
        runs[index][sender.run] = RunNotes(run: sender.run, notebook: sender.notebook)
        // Leftovers are removed with the workspace.
        try? FileManager.default.removeItem(atPath: workspace.path("notebook-\(sender.run)"))
    }

    /// Restarts the collector without injected errors.
    private mutating func restart(_ findings: inout Findings) throws {
        note(collector.kill(), "collectors killed", &findings)
        try collector.start()
        network.connect(to: try collector.awaitPort())
    }

    /// Waits until everything is delivered, and compares it.
    mutating func conclude(_ findings: inout Findings) throws -> [(String, String)] {
        network.calm()
        try restart(&findings)
        for (index, sender) in running.enumerated() {
            sender.child.kill()
            _ = sender.child.wait(seconds: 60)
            keep(sender, of: index)
        }
        for index in logs.indices {
            let sender = try start(index, ["--settle"])
            let end = sender.child.wait(seconds: 300)
            if end != .exited(0) {
                findings.add(.hung, "log \(index) is not delivered: \(end.map { "\($0)" } ?? "after five minutes")")
            }
            keep(sender, of: index)
        }
        let answers = network.answers
        for wrong in answers.wrong { findings.add(.collectorAltered, wrong) }
        try collector.check(answers.held, &findings)
        let paths = logs.map { $0 + "/events.sqlite" }
        let stored = try StoredLinesAudit(collector, logs: paths)
        findings += stored.findings
        var (acknowledged, found, numbers) = (0, 0, Int64(0))
        for (path, notes) in zip(paths, runs) {
            let log = LogAudit(path, runs: notes, expecting: notes.keys.sorted())
            findings += log.findings
            let ledger = NumbersAudit(path, events: log.numbers, receipts: notes.values.flatMap(\.receipts))
            findings += ledger.findings
            (acknowledged, found) = (acknowledged + log.acknowledged, found + log.found)
            numbers += ledger.highest
            findings.requireAcknowledged(notes)
        }
        if collector.end() != .exited(0) { findings.add(.failed, "the collector does not end after SIGTERM") }
        let doctor = try collector.doctor()
        if !doctor.isEmpty { findings.add(.failed, "collector doctor: \(doctor)") }
        if answers.receipts == 0 { findings.add(.failed, "no batch was delivered, so nothing was compared") }
        let strikes = try collector.strikes()
        if strikes == 0 { findings.add(.failed, "no system call of the collector was made to fail") }
        return kills.sorted { $0.key > $1.key }.map { ($0.key, "\($0.value)") }
            + FaultyNetwork.Event.allCases.map { ("requests \($0.rawValue)", "\(answers.events[$0] ?? 0)") }
            + [
                ("receipts", "\(answers.receipts)"), ("batches", "\(answers.numbers.count)"),
                ("calls made to fail", "\(strikes)"), ("starts that failed", "\(collector.failedStarts)"),
                ("answers 503", "\(answers.unavailable)"), ("events acknowledged", "\(acknowledged)"),
                ("events in the logs", "\(found)"), ("numbers", "\(numbers)"),
                ("lines in the collector", "\(stored.lines)"),
                ("explained in the collector", "\(stored.explained)"),
            ]
    }
}
