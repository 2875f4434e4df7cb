import ArgumentParser
import CrashSupport
import Foundation
import JSONLines
internal import Primitives

/// `pairs`: two processes that start in a new folder at the same instant, and identify users at the same time.
struct PairsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pairs",
        abstract: "Start two processes at the same instant in a new folder, and compare device, users and events.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of pairs. Default 1000, short 40.")
    var rounds: Int?

    func validate() throws { try requireAboveZero(("--rounds", rounds)) }

    func run() async throws {
        try await options.run("pairs") { workspace, seed, findings in
            var session = PairSession(workspace: workspace, seed: seed)
            for round in 1...(rounds ?? (options.short ? 40 : 1_000)) {
                try session.run(round, &findings)
                guard findings.isClean else { break }  // keeps its folder for inspection
            }
            return session.rows
        }
    }
}

/// The figures of all pairs.
private struct PairSession {
    /// A process that has ended: its calls, each with the event that follows it.
    private struct Process {
        let run: Int
        let events: [SentMarker]
        /// When each call began, and when it was in effect for certain: its event has its number.
        let identifications: [(user: String, begin: UInt64, end: UInt64)]
    }

    private let workspace: Workspace
    private let seed: UInt64
    private var random: SplitMix64
    private var anonymous = 0
    private var identified = 0
    private var events = 0
    private var identifications = 0
    /// Events with the user of the other process.
    private var others = 0
    private var overlaps = 0
    private var restarts = 0

    init(workspace: Workspace, seed: UInt64) {
        (self.workspace, self.seed) = (workspace, seed)
        random = SplitMix64(seed: seed)
    }

    var rows: [(String, String)] {
        [
            ("pairs without users", "\(anonymous)"), ("pairs with users", "\(identified)"), ("events", "\(events)"),
            ("identified users", "\(identifications)"), ("events with a user of the other process", "\(others)"),
            ("pairs whose calls overlapped", "\(overlaps)"), ("restarts", "\(restarts)"),
        ]
    }

    mutating func run(_ round: Int, _ findings: inout Findings) throws {
        let hasUsers = !round.isMultiple(of: 2)
        let folder = workspace.path("log")
        // The processes create it.
        if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
        let journals = try workspace.makeFolder("journals")
        let processes = try start([1, 2], in: folder, journals, hasUsers: hasUsers, round, &findings)
        guard processes.count == 2 else { return }
        var evidence = PeopleEvidence(requiresConsent: false)
        try evidence.read(folder: folder)
        let sent = processes.flatMap(\.events)
        let numbers = NumbersAudit(
            folder + "/events.sqlite", events: evidence.numbers, receipts: sent.compactMap(\.seq))
        findings += numbers.findings
        for event in sent where evidence.stored[event.marker] == nil { findings.add(.lost, "\(event.marker)") }
        events += sent.count
        let stored = try Self.identity(folder)
        let calls = processes.flatMap(\.identifications)
        if hasUsers {
            identified += 1
            identifications += calls.count
            check(processes, calls, evidence, stored, round, &findings)
        } else {
            anonymous += 1
            let users = Set(evidence.stored.values.map(\.user))
            if users != [stored.device] || stored.user != nil {
                findings.add(.wrongPerson, "round \(round): \(users) in events, \(stored.device ?? "nil") stored")
            }
        }
        guard hasUsers, findings.isClean, round % 10 == 1 else { return }
        restarts += 1
        guard let last = try start([3], in: folder, journals, hasUsers: false, round, &findings).first else { return }
        var after = PeopleEvidence(requiresConsent: false)
        try after.read(folder: folder)
        for event in last.events where after.stored[event.marker]?.user != stored.user {
            findings.add(.wrongPerson, "round \(round): another user than \(stored.user ?? "nil") after a restart")
        }
    }

    private mutating func check(
        _ processes: [Process], _ calls: [(user: String, begin: UInt64, end: UInt64)], _ evidence: PeopleEvidence,
        _ stored: (device: String?, user: String?), _ round: Int, _ findings: inout Findings
    ) {
        let (first, second) = (processes[0].identifications, processes[1].identifications)
        let overlap = first.contains { one in second.contains { $0.begin < one.end && one.begin < $0.end } }
        if overlap { overlaps += 1 }
        for event in processes.flatMap(\.events) {
            guard let user = evidence.stored[event.marker]?.user else { continue }
            guard let call = calls.first(where: { $0.user == user }) else {
                // While the other process identifies another user, the person is anonymous.
                let others = processes.filter { $0.run != event.marker.run }.flatMap(\.identifications)
                if !others.contains(where: { $0.begin < event.numbered && $0.end > event.begin }) {
                    findings.add(.wrongPerson, "round \(round): \(event.marker) has the unknown user \(user)")
                }
                continue
            }
            if !user.hasPrefix("user-\(event.marker.run)-") { others += 1 }
            // No later call was in effect before the event was sent.
            let isSuperseded = calls.contains { $0.begin >= call.end && $0.end <= event.begin }
            if call.begin > event.numbered || isSuperseded {
                findings.add(.wrongPerson, "round \(round): \(event.marker) has \(user)")
            }
        }
        let last = calls.first { $0.user == stored.user }
        if last == nil || calls.contains(where: { $0.begin >= last?.end ?? 0 }) {
            findings.add(.wrongPerson, "round \(round): \(stored.user ?? "no user") is stored, and not the last one")
        }
    }

    /// Starts processes at the same instant, and waits until they have closed the log.
    private mutating func start(
        _ runs: [Int], in folder: String, _ journals: String, hasUsers: Bool, _ round: Int, _ findings: inout Findings
    ) throws -> [Process] {
        let load = round.isMultiple(of: 3) ? BusyProcessors() : nil
        defer { load?.stop() }
        // Long enough to load the programs.
        let instant = MonotonicTime.now + 60_000_000
        let seed = SplitMix64.mixed(seed &+ UInt64(round)) &* 4
        let children = try runs.map { run in
            try Child(
                Programs.trackerSender,
                [
                    "--role", "pair", "--folder", folder, "--journal", "\(journals)/\(run)", "--run", "\(run)",
                    "--seed",
                    "\(seed &+ UInt64(2 * run + (round % 4 == 1 ? 1 : 0)))", "--at", "\(instant)", "--events",
                    hasUsers ? "0" : "3",
                ], errors: workspace.path("senders.log"))
        }
        var processes: [Process] = []
        for (run, child) in zip(runs, children) {
            let end = child.wait(seconds: 60)
            guard end == .exited(0) else {
                findings.add(
                    end == nil ? .hung : .failed, "round \(round), process \(run): \(end.map { "\($0)" } ?? "no end")")
                continue
            }
            let journal = try JournalLines("\(journals)/\(run)", run: run, end: MonotonicTime.now)
            for diagnostic in journal.diagnostics { findings.add(.failed, "round \(round): \(diagnostic)") }
            let events = journal.events.values.sorted { $0.marker.number < $1.marker.number }
            // The event that follows a call has its number when the call is in effect.
            let identifications = zip(journal.calls, events).compactMap { call, event in
                if case .identify(let user) = call.change { (user, call.begin, event.numbered) } else { nil }
            }
            processes.append(Process(run: run, events: events, identifications: identifications))
        }
        return processes
    }

    /// The identity in `tracking.json`.
    private static func identity(_ folder: String) throws -> (device: String?, user: String?) {
        let path = folder + "/tracking.json"
        guard let bytes = FileManager.default.contents(atPath: path) else { throw HarnessError("cannot read \(path)") }
        let values = try JSONParser.parse(bytes)
        return (values["device_id"]?.stringValue, values["user_id"]?.stringValue)
    }
}
