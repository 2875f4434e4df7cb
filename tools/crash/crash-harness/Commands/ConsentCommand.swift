import ArgumentParser
import CrashSupport
import Foundation
internal import Primitives

/// `consent`: an app and its widget are killed while identity and consent change, and deliver to a server that keeps all requests.
struct ConsentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "consent",
        abstract: "Kill an app and its widget while consent and users change, and compare requests, log and files.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of kills. Default 1000, short 30.")
    var kills: Int?

    func validate() throws { try requireAboveZero(("--kills", kills)) }

    func run() async throws {
        try await options.run("consent") { workspace, seed, findings in
            var session = ConsentSession(workspace: workspace, server: try DeliveryServer(seed: seed), seed: seed)
            let goal = kills ?? (options.short ? 30 : 1_000)
            while session.kills < goal {
                try session.run(kills: min(Self.killsOfOneLog, goal - session.kills), keeps: options.keep, &findings)
                guard findings.isClean else { break }  // keeps its folder for inspection
                StandardOutput.note("  \(session.kills) kills")
            }
            if session.count(.acknowledged) == 0 { findings.add(.failed, "no event was acknowledged") }
            return session.rows
        }
    }

    /// The number of kills after which a log is compared and replaced. Each call in doubt adds possible histories until an event
    /// shows which one it was.
    private static let killsOfOneLog = 10
}

/// The state between two logs.
struct ConsentSession {
    /// When an app was killed.
    private enum Phase: String, CaseIterable {
        case opening = "before the log was open"
        case answer = "during an answer"
        case identity = "during identify or reset"
        case send = "during send"
        case between = "between calls"
    }

    private let workspace: Workspace
    private let server: DeliveryServer
    private let seed: UInt64
    private var random: SplitMix64
    private(set) var kills = 0
    private var logs = 0
    private var phases: [Phase: Int] = [:]
    private var counts: [PeopleAudit.Count: Int] = [:]
    private var requests = 0
    private var reasons: [String: Int] = [:]
    private var maximumHistories = 0

    init(workspace: Workspace, server: DeliveryServer, seed: UInt64) {
        (self.workspace, self.server, self.seed) = (workspace, server, seed)
        random = SplitMix64(seed: seed)
    }

    func count(_ count: PeopleAudit.Count) -> Int { counts[count] ?? 0 }

    /// Kills the processes of a new log, settles it, and compares.
    mutating func run(kills count: Int, keeps: Bool, _ findings: inout Findings) throws {
        let load = random.happens(30) ? BusyProcessors() : nil
        defer { load?.stop() }
        let (evidence, folder) = try gather(kills: count, &findings)
        let audit = PeopleAudit(evidence)
        findings += audit.findings
        let numbers = NumbersAudit(
            folder + "/events.sqlite", events: evidence.numbers,
            receipts: (evidence.apps + evidence.widgets).flatMap { $0.events.values.compactMap(\.seq) })
        findings += numbers.findings
        counts.merge(audit.counts, uniquingKeysWith: +)
        reasons.merge(numbers.reasons, uniquingKeysWith: +)
        requests += evidence.deliveries.count
        maximumHistories = max(maximumHistories, audit.maximumHistories)
        if findings.isClean, !keeps {
            try FileManager.default.removeItem(atPath: folder)
            try FileManager.default.removeItem(atPath: folder + "-journals")
        }
    }

    /// Runs and kills the processes of a new log, and settles it.
    mutating func gather(kills count: Int, _ findings: inout Findings) throws -> (PeopleEvidence, folder: String) {
        logs += 1
        let folder = try workspace.makeFolder("log-\(logs)")
        _ = try workspace.makeFolder("log-\(logs)-journals")
        var evidence = PeopleEvidence(requiresConsent: random.happens(50))
        for round in 1...count { try kill(round, in: folder, &evidence, &findings) }
        server.setCalm(true)
        let run = count + 1
        let last = try start(.settle, run: run, in: folder, evidence)
        let end = last.wait(seconds: 120)
        if end != .exited(0) { findings.add(.failed, "the last process \(end.map { "\($0)" } ?? "did not end")") }
        evidence.apps.append(try journal(run, in: folder, &findings))
        server.setCalm(false)
        let (deliveries, unreadable) = server.takeDeliveries()
        evidence.deliveries = deliveries
        for reason in unreadable { findings.add(.unreadable, "a request: \(reason)") }
        try evidence.read(folder: folder)
        return (evidence, folder)
    }

    private enum Role: String { case app, widget, settle }

    private func start(_ role: Role, run: Int, in folder: String, _ evidence: PeopleEvidence) throws -> Child {
        try Child(
            Programs.trackerSender,
            [
                "--role", role.rawValue, "--folder", folder, "--journal", path(run, in: folder), "--run", "\(run)",
                "--seed", "\(SplitMix64.mixed(seed &+ UInt64(10_000 * logs + run)))", "--url", server.url,
            ] + (evidence.requiresConsent ? ["--requires-consent"] : []), errors: workspace.path("senders.log"))
    }

    private func path(_ run: Int, in folder: String) -> String { "\(folder)-journals/\(run)" }

    private func journal(_ run: Int, in folder: String, _ findings: inout Findings) throws -> JournalLines {
        let path = path(run, in: folder)
        // Killed before it had created the file.
        if !FileManager.default.fileExists(atPath: path) { try Data().write(to: URL(fileURLWithPath: path)) }
        let journal = try JournalLines(path, run: run, end: MonotonicTime.now)
        for diagnostic in journal.diagnostics { findings.add(.failed, "run \(run): \(diagnostic)") }
        return journal
    }

    /// Starts an app, usually with a widget, and kills them.
    private mutating func kill(
        _ round: Int, in folder: String, _ evidence: inout PeopleEvidence, _ findings: inout Findings
    ) throws {
        var roles: [(role: Role, run: Int)] = [(.app, round)]
        if random.happens(60) { roles.append((.widget, 1_000 + round)) }
        if random.happens(50) { roles.reverse() }
        var children: [(child: Child, role: Role, run: Int)] = []
        for (role, run) in roles {
            children.append((try start(role, run: run, in: folder, evidence), role, run))
        }
        if random.happens(85) { waitForOpening(path(round, in: folder)) }
        usleep(UInt32(random.below(random.happens(50) ? 300_000 : 60_000)))
        if random.happens(30) { waitForIdentity(path(round, in: folder)) }
        for (child, _, _) in children {
            child.kill()
            usleep(UInt32(random.below(3) * random.below(2_000)))
        }
        for (child, role, run) in children {
            let end = child.wait(seconds: 20)
            if end != .signalled(SIGKILL) {
                findings.add(.failed, "run \(run) \(end.map { "\($0)" } ?? "did not end"); see senders.log")
            }
            let journal = try journal(run, in: folder, &findings)
            if role == .app {
                kills += 1
                phases[Self.phase(journal), default: 0] += 1
                evidence.apps.append(journal)
            } else {
                evidence.widgets.append(journal)
            }
        }
    }

    /// Waits until an app's log is open.
    private func waitForOpening(_ path: String) {
        let (deadline, opened) = (ContinuousClock.now + .seconds(20), Data(" opened ".utf8))
        while ContinuousClock.now < deadline {
            if FileManager.default.contents(atPath: path)?.range(of: opened) != nil { return }
            usleep(2_000)
        }
    }

    /// Waits until an app is inside a call that changes its identity.
    private func waitForIdentity(_ path: String) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        let deadline = ContinuousClock.now + .milliseconds(100)
        var bytes = [UInt8](repeating: 0, count: 400)
        while ContinuousClock.now < deadline {
            let start = max(lseek(file, 0, SEEK_END) - bytes.count, 0)
            let count = pread(file, &bytes, bytes.count, start)
            let lines = String(decoding: bytes[..<max(count, 0)], as: UTF8.self).split(separator: "\n")
            let last = lines.last { $0.contains(" call ") || $0.contains(" returned") }
            if let last, last.contains(" call identify ") || last.contains(" call reset") { return }
        }
    }

    private static func phase(_ journal: JournalLines) -> Phase {
        if journal.statement == nil { return .opening }
        if let last = journal.calls.last, last.isInDoubt { return last.change.changesIdentity ? .identity : .answer }
        return journal.events.values.contains { $0.outcome == .interrupted } ? .send : .between
    }

    var rows: [(String, String)] {
        [("kills", "\(kills)")] + Phase.allCases.map { ("  \($0.rawValue)", "\(phases[$0] ?? 0)") }
            + [("logs", "\(logs)"), ("requests", "\(requests)")]
            + PeopleAudit.Count.allCases.map { ($0.rawValue, "\(count($0))") }
            + [("most possible histories", "\(maximumHistories)"), ("in the ledger", "")]
            + reasons.sorted { $0.key < $1.key }.map { ("  \($0.key)", "\($0.value)") }
    }
}
