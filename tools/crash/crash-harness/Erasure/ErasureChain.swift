import CrashSupport
import EventLog
import Foundation
internal import Primitives

/// A sender, a collector and a loader with a stream between them, on a new log. All are killed but the stream.
struct ErasureChain {
    /// A process that is killed.
    enum Part: String, CaseIterable { case sender, collector, loader }

    let workspace: Workspace
    /// The journals, and files that the harness writes.
    let notes: String
    let network: FaultyNetwork
    let collector: CollectorProcess
    let loader: LoaderProcess
    let stream: StreamServer
    private(set) var journal = PeopleJournal()
    private let seed: UInt64
    private var random: SplitMix64
    private var sender: Child?
    private var run = 0

    init(_ workspace: Workspace, notes: String, seed: UInt64) throws {
        (self.workspace, self.notes, self.seed) = (workspace, notes, seed)
        random = SplitMix64(seed: seed)
        _ = try workspace.makeFolder("log")
        stream = try StreamServer(workspace, using: &random)
        collector = CollectorProcess(workspace, ["--forward", stream.url, "--partitions", "2", "--replicas", "1"])
        loader = LoaderProcess(workspace, stream: stream.url)
        network = try FaultyNetwork(seed: seed &+ 1, calmShare: 75)
        try collector.start()
        network.connect(to: try collector.awaitPort())
        try loader.start()
        try startSender()
    }

    var log: String { workspace.path("log/events.sqlite") }

    private func path(_ run: Int) -> String { "\(notes)/journal-\(run)" }

    // MARK: Kills

    /// Kills and restarts a process at a random moment, or all three.
    ///
    /// - Returns: Each process that was killed, and what it did then.
    mutating func kill(_ findings: inout Findings) throws -> [(part: Part, moment: String)] {
        usleep(UInt32(random.below(500_000)))
        let draw = random.below(100)
        let parts: [Part] = draw < 45 ? [.sender] : draw < 70 ? [.collector] : draw < 90 ? [.loader] : Part.allCases
        if parts.contains(.sender), random.happens(60) { waitForCall() }
        usleep(UInt32(random.below(random.happens(50) ? 4_000 : 60_000)))
        var moments: [(Part, String)] = []
        for part in parts {
            let end: ChildEnd?
            switch part {
            case .sender: end = sender.flatMap { Self.kill($0) }
            case .loader: end = loader.kill()
            case .collector:
                end = collector.kill()
                network.connect(to: nil)
            }
            if end != .signalled(SIGKILL) {
                findings.add(.failed, "the \(part.rawValue) \(end.map { "\($0)" } ?? "did not end") by itself")
            }
            if part == .sender {
                try journal.add(path(run))
                try checkLog(&findings)
            }
            moments.append((part, part == .sender ? moment : ""))
        }
        if parts.contains(.collector) {
            try collector.start()
            if random.happens(20) {
                // While it opens its folder, and removes what clients have erased.
                usleep(UInt32(random.below(200_000)))
                if collector.kill() == .signalled(SIGKILL) { moments.append((.collector, "")) }
                try collector.start()
            }
            network.connect(to: try collector.awaitPort())
        }
        if parts.contains(.loader) { try loader.start() }
        if parts.contains(.sender) { try startSender() }
        return moments
    }

    private static func kill(_ child: Child) -> ChildEnd? {
        child.kill()
        return child.wait(seconds: 20)
    }

    /// Checks that the log's own files have no event of a user whose erasure has returned. Until all sinks have answered, one file
    /// has the user's id.
    private func checkLog(_ findings: inout Findings) throws {
        let isErased = { person in journal.people[person]?.erasure == .returned }
        let search = try PersonSearch([workspace.path("log")]) { $0.hasPrefix("events.sqlite") }
        for (marker, files) in search.markers where isErased(marker.person) {
            findings.add(.keptThoughErased, "\(marker), after the erasure: \(files.sorted().joined(separator: ", "))")
        }
    }

    /// What the killed sender did.
    private var moment: String {
        if !journal.isOpened { return "before the log was open" }
        let calls = Set(journal.open.map { $0.prefix { $0 != " " } })
        if calls.contains("erase") { return "during an erasure" }
        if calls.contains("denied") || calls.contains("granted") { return "during an answer" }
        return calls.isEmpty ? "between calls" : "during send"
    }

    private mutating func startSender() throws {
        sender = try startSender(.people, people: journal.present.shuffled(using: &random).prefix(18))
    }

    private enum Role: String { case people, finish }

    private mutating func startSender(_ role: Role, people: some Collection<Person>) throws -> Child {
        run += 1
        // Otherwise, the log continues the erasure by itself.
        let unfinished = role == .finish || random.happens(30) ? journal.unfinished : []
        var arguments = [
            "--role", role.rawValue, "--folder", workspace.path("log"), "--journal", path(run), "--run", "\(run)",
            "--seed", "\(SplitMix64.mixed(seed &+ UInt64(run)))", "--url",
            "http://127.0.0.1:\(network.port)/v1/events", "--key", collector.writeKey,
        ]
        for (option, people) in [("--people", Array(people)), ("--unfinished", unfinished)] where !people.isEmpty {
            arguments += [option, people.map { "\($0)" }.joined(separator: ",")]
        }
        if random.happens(20) { arguments.append("--early") }
        return try Child(Programs.trackerSender, arguments, errors: workspace.path("senders.log"))
    }

    /// Waits up to 200 ms until the sender is inside an erasure or an answer.
    private func waitForCall() {
        let deadline = ContinuousClock.now + .milliseconds(200)
        while ContinuousClock.now < deadline {
            let text = String(decoding: FileManager.default.contents(atPath: path(run)) ?? Data(), as: UTF8.self)
            let last = text.split(separator: "\n").suffix(4)
            if last.contains(where: { $0.contains(" call erase ") || $0.contains(" call denied ") }) { return }
            usleep(1_000)
        }
    }

    // MARK: The end

    /// Restarts all processes undisturbed, and waits until everything is delivered, forwarded and loaded, and all erasures are
    /// answered.
    mutating func settle(_ findings: inout Findings) throws {
        network.calm()
        if let sender { _ = Self.kill(sender) }
        try journal.add(path(run))
        let last = try startSender(.finish, people: [])
        let end = last.wait(seconds: 120)
        if end != .exited(0) { findings.add(.hung, "the last sender \(end.map { "\($0)" } ?? "did not end")") }
        try journal.add(path(run))
        // At its start, it removes what clients have erased.
        _ = collector.kill()
        try collector.start()
        network.connect(to: try collector.awaitPort())
        let deadline = ContinuousClock.now + .seconds(60)
        let waits = ["collector_forwarding_behind_receipts", "collector_erasures_pending"]
        while try waits.contains(where: { try collector.metric($0) != 0 }) {
            guard ContinuousClock.now < deadline else {
                findings.add(.hung, "the collector has not forwarded or erased everything after a minute")
                break
            }
            usleep(20_000)
        }
        _ = loader.kill()
        let loaded = try loader.loadAll()
        if loaded != .exited(0) { findings.add(.hung, "the last loader \(loaded.map { "\($0)" } ?? "did not end")") }
    }

    /// Runs `trackctl reconcile` for all stages.
    func reconcile() throws -> ReconcileReport {
        let output = notes + "/reconcile"
        let child = try Child(
            Programs.trackctl,
            [
                "reconcile", log, "--collector", "http://127.0.0.1:\(collector.port ?? 0)", "--stream", stream.url,
                "--warehouse", "duckdb:\(loader.folder)", "--duckdb", "\(StreamServer.programs)/duckdb", "--wait", "5",
                "--json",
            ], output: output, errors: output + ".errors",
            environment: ["TRACKING_COLLECTOR_TOKEN": collector.adminToken])
        let end = child.wait(seconds: 120)
        return ReconcileReport(end, [UInt8](FileManager.default.contents(atPath: output) ?? Data()))
    }

    /// The numbers that the ledger explains with a reason.
    func numbers(for reason: DropReason) throws -> IndexSet {
        var numbers = IndexSet()
        for entry in try EventLogReader(path: log).ledgerRanges() where entry.reason == reason {
            if entry.consumer == nil, let seqs = entry.seqs {
                numbers.insert(integersIn: Int(seqs.lowerBound)...Int(seqs.upperBound))
            }
        }
        return numbers
    }

    /// Erases users in stream and folder, and loads the rest.
    func eraseDownstream(_ people: [Person], _ findings: inout Findings) throws {
        for person in people {
            let text = try loader.erase(person, notes: notes)
            if !text.isEmpty { findings.add(.failed, "loader erase \(person): \(text)") }
        }
        let loaded = try loader.loadAll()
        if loaded != .exited(0) {
            findings.add(.hung, "the loader after the erasure \(loaded.map { "\($0)" } ?? "did not end")")
        }
    }

    /// Ends the servers, and runs `collector doctor`.
    func end(_ findings: inout Findings) throws {
        if collector.end() != .exited(0) { findings.add(.failed, "the collector does not end after SIGTERM") }
        let doctor = try collector.doctor()
        if !doctor.isEmpty { findings.add(.failed, "collector doctor: \(doctor)") }
        _ = stream.end()
    }
}
