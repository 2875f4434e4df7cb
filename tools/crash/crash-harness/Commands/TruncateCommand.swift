import ArgumentParser
import Foundation

/// `truncate`: power failures. Files are truncated, mixed from old and new pages, or have flipped bits.
struct TruncateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "truncate", abstract: "Truncate and damage the files of a log at every position, and compare.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "At most N cases for each file and kind of damage. Default all, short 24.")
    var cases: Int?

    @Option(help: "Folder for the damaged copies; tools/crash/run passes a folder in memory.")
    var copies: String?

    func validate() throws { try requireAboveZero(("--cases", cases)) }

    func run() async throws {
        try await options.run("truncate") { workspace, seed, findings in
            let work = try copies ?? workspace.makeFolder("copies")
            var session = TruncateSession(
                makes: SceneMaker(workspace: workspace, seed: seed),
                runner: ProbeRunner(
                    workspace: workspace, work: work, seed: seed,
                    maximumCases: cases ?? (options.short ? 24 : nil)))
            try session.damageDatabase()
            try session.damageSink()
            try session.damageJournal()
            try session.damageLappedJournal()
            findings += session.findings
            return session.rows
        }
    }
}

/// The scenes, and the kinds of damage.
struct TruncateSession {
    let makes: SceneMaker
    let runner: ProbeRunner
    private(set) var rows: [(String, String)] = []
    private(set) var findings = Findings()

    init(makes: SceneMaker, runner: ProbeRunner) {
        self.makes = makes
        self.runner = runner
    }

    private static let few = ["--events", "5", "--small", "--quiet"]

    private mutating func scene(_ name: String, _ runs: [[String]]) throws -> Scene {
        try makes.make(name, runs, &findings)
    }

    /// - Returns: The number of cases tried.
    @discardableResult
    private mutating func damage(
        _ scene: Scene, _ label: String, _ file: String, _ damage: Damage, _ expectation: Scene.Expectation = .init(),
        mayBeUnchanged: Bool = false
    ) throws -> Int {
        let figures = try runner.run(scene, file: file, damage, expectation)
        rows.append((label, figures.text))
        StandardOutput.note("  \(label): \(figures.text)")
        findings += figures.findings
        if figures.tried == 0, !mayBeUnchanged { findings.add(.failed, "\(label): nothing was tried") }
        return figures.tried
    }

    /// The write-ahead log before and after a checkpoint, and the database.
    mutating func damageDatabase() throws {
        let committed = Self.few + ["--die-after-commit"]
        // Without their journals, which would restore the truncated events.
        let fresh = try scene("wal", [committed, committed]).withoutJournal()
        try damage(fresh, "log, nothing done", "events.sqlite", .none, .init(always: fresh.truth.keys.sorted()))
        try damage(
            fresh, "WAL before a checkpoint, cut", "events.sqlite-wal", .cut,
            .init(thresholds: try WriteAheadLog.thresholds(fresh, in: runner.work)))
        let checkpointed = try scene("checkpointed", [committed, committed + ["--checkpoint-at-start"]])
            .withoutJournal()
        try damage(
            checkpointed, "WAL after a checkpoint, cut", "events.sqlite-wal", .cut,
            .init(thresholds: try WriteAheadLog.thresholds(checkpointed, in: runner.work)))
        let closed = try scene("closed", [Self.few, Self.few])
        try damage(closed, "database, cut", "events.sqlite", .cut)
    }

    /// The sink's open file, which is written again, and a finished file, which is not read again.
    mutating func damageSink() throws {
        let sent = try scene("sink", [["--events", "250", "--quiet"], ["--events", "250", "--quiet"]])
        let all = Scene.Expectation(always: sent.truth.keys.sorted())
        try damage(sent, "open file of the sink, cut", "events.jsonl", .cut, all)
        if let finished = sent.images.first(where: { $0.name.hasPrefix("events-") }) {
            try damage(sent, "finished file of the sink, cut", finished.name, .cut, all)
        } else {
            findings.add(.failed, "the sink completed no file")
        }
    }

    /// A journal with the only copy of its events: the database is locked while they are sent.
    mutating func damageJournal() throws {
        let held = Self.few + ["--hold-database", "--gate-after", "3", "--die-after-sending"]
        let scene = try scene("journal", [Self.few, held])
        let all = scene.truth.keys.sorted()
        // Sent before the earlier state was copied: the events of the closed run, and three.
        let before = scene.truth.keys.filter { $0 <= 8 }.sorted()
        guard !scene.rings.isEmpty, let control = scene.control else {
            rows.append(("journal", "there is none"))
            findings.add(.failed, "the log has no journal")
            return
        }
        for ring in scene.rings {
            let thresholds = RingRecords.thresholds(ring, truth: scene.truth)
            rows.append(("events in the ring", "\(thresholds.count)"))
            let elsewhere = all.filter { thresholds[$0] == nil }
            try damage(scene, "ring, cut", ring.name, .cut, .init(thresholds: thresholds, always: elsewhere))
            try damage(scene, "ring, each bit flipped", ring.name, .flip, .init(always: elsewhere))
            try damage(scene, "ring, pages old or new", ring.name, .mix, .init(always: before))
        }
        try damage(scene, "control file, cut", control.name, .cut, .init(always: all))
        try damage(scene, "control file, each bit flipped", control.name, .flip, .init(always: all))
        if scene.old[control.name] != nil {
            try damage(scene, "control file, pages old or new", control.name, .mix, .init(always: all))
        }
    }

    /// A journal that has wrapped around: the bytes after the newest record are a record of an earlier lap.
    mutating func damageLappedJournal() throws {
        // An event to measure the size of a ring; then enough events for one and a half laps of about 600 bytes each.
        let one = try scene("ring-size", [["--events", "1", "--quiet", "--hold-database", "--die-after-sending"]])
        guard let ring = one.rings.map(\.length).max() else { return }
        let count = ring * 3 / 2 / 600
        guard count < 80_000 else {
            findings.add(.failed, "a ring of \(ring) bytes is too large to wrap around in a test")
            return
        }
        let held = [
            "--events", "\(count + 40)", "--quiet", "--pause", "100", "--gate-after", "\(count)", "--hold-at-gate",
            "--die-after-sending",
        ]
        let scene = try scene("lapped", [held])
        let before = (1...Int64(count)).filter { scene.truth[$0] != nil }
        // On a busy machine the sender adds rings. After the gate it writes to one of them; the others have no new pages.
        var mixed = 0
        for ring in scene.rings {
            try damage(scene, "lapped ring, nothing done", ring.name, .none, .init(always: scene.truth.keys.sorted()))
            mixed += try damage(
                scene, "wrapped ring, pages old or new", ring.name, .mix, .init(always: before), mayBeUnchanged: true)
            try damage(scene, "wrapped ring, old pages inserted", ring.name, .plant)
        }
        if mixed == 0 { findings.add(.failed, "wrapped ring, pages old or new: no ring has new pages") }
    }
}
