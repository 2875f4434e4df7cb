import ArgumentParser
import Foundation

/// `self-test`: adds each kind of error to a valid log and shows that the comparisons report it. A check that cannot
/// fail proves nothing.
struct SelfTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "self-test", abstract: "Add errors to a log, and show that the comparisons report each of them.")

    @OptionGroup var options: HarnessOptions

    func run() async throws {
        try await options.run("self-test") { workspace, seed, findings in
            let good = try workspace.makeFolder("good")
            let launcher = SenderLauncher(folder: good, notes: workspace.path, lanes: 2, seed: seed, collects: true)
            var runs: [Int: RunNotes] = [:]
            for run in 1...2 {
                let sender = try launcher.start(run: run, ["--events", "200", "--calm"])
                guard sender.child.wait(seconds: 60) == .exited(0) else {
                    throw HarnessError("a sender failed; see \(workspace.path("senders.log"))")
                }
                runs[run] = sender.notes
            }
            var rows: [(String, String)] = []
            _ = try FinalAudit.run(folder: good, workspace: workspace, runs: runs, findings: &findings)
            rows.append(("valid log", findings.isClean ? "no errors" : "ERRORS"))
            for plant in PlantedFault.all {
                let folder = workspace.path("planted")
                if FileManager.default.fileExists(atPath: folder) { try FileManager.default.removeItem(atPath: folder) }
                try FileManager.default.copyItem(atPath: good, toPath: folder)
                var planted = runs
                try plant.plant(folder, &planted)
                var found = Findings()
                _ = try FinalAudit.run(
                    folder: folder, workspace: workspace, runs: planted, comparesDump: !options.short,
                    findings: &found)
                report(plant.name, plant.expected, found, &rows, &findings)
            }
            // The last planted error is in the sink: its log has one event less than the valid log.
            let short = workspace.path("planted/events.sqlite")
            try PlantedFault.removeEvent.plant(workspace.path("planted"), &runs)
            let dump = try DumpAudit(
                log: good + "/events.sqlite", dumped: short, output: workspace.path("dump.jsonl"))
            report("dump without an event", .dumpDiffers, dump.findings, &rows, &findings)
            for (name, expected, found) in try ChainErrors().results(in: workspace.makeFolder("searched")) {
                if let expected {
                    report("erasure: " + name, expected, found, &rows, &findings)
                } else {
                    findings += found
                }
            }
            testIdleRuns(workspace, seed, &rows, &findings)
            try testProbes(workspace, seed, &rows, &findings)
            try testDamage(workspace, seed, &rows, &findings)
            return rows
        }
    }

    private func report(
        _ name: String, _ expected: Fault, _ found: Findings, _ rows: inout [(String, String)],
        _ findings: inout Findings
    ) {
        let seen = Fault.allCases.filter { found[$0] > 0 }.map { "\($0.rawValue) \(found[$0])" }
        rows.append((name, seen.isEmpty ? "NOT DETECTED" : "detected: " + seen.joined(separator: ", ")))
        if found[expected] == 0 { findings.add(.failed, "\(name): not detected as '\(expected.rawValue)'") }
    }

    /// Shows that a run without any checks is reported.
    private func testIdleRuns(
        _ workspace: Workspace, _ seed: UInt64, _ rows: inout [(String, String)], _ findings: inout Findings
    ) {
        var silent = Findings()
        silent.requireAcknowledged([1: RunNotes(run: 1, begun: [1], seqs: [[]])])
        report("run without an acknowledged event", .failed, silent, &rows, &findings)
        var session = FaultSession(workspace: workspace, seed: seed)
        session.conclude(FaultRule.all)
        report("rules that were never applied", .failed, session.findings, &rows, &findings)
        if session.findings[.failed] < FaultRule.all.count {
            findings.add(.failed, "only \(session.findings[.failed]) of the rules that were never applied are reported")
        }
    }

    /// Shows that a trapping probe is counted, that the remaining cases are still tried, and that missing and
    /// additional events are reported.
    private func testProbes(
        _ workspace: Workspace, _ seed: UInt64, _ rows: inout [(String, String)], _ findings: inout Findings
    ) throws {
        let options = ["--events", "5", "--small", "--quiet", "--die-after-commit"]
        let scene = try SceneMaker(workspace: workspace, seed: seed).make("scene", [options], &findings)
            .withoutJournal()
        let work = try workspace.makeFolder("copies")
        var runner = ProbeRunner(workspace: workspace, work: work, seed: seed, maximumCases: 10)
        let log = "events.sqlite-wal"
        let thresholds = try WriteAheadLog.thresholds(scene, in: work)
        let tooLow = Scene.Expectation(thresholds: thresholds.mapValues { _ in 0 })
        report(
            "event expected too early", .lost, try runner.run(scene, file: log, .cut, tooLow).findings, &rows, &findings
        )
        runner.trapAt = 3
        let trapping = try runner.run(scene, file: log, .cut, .init(thresholds: thresholds))
        report("probe that traps", .trapped, trapping.findings, &rows, &findings)
        if trapping.tried != 10 || trapping.findings[.trapped] != 1 {
            findings.add(.failed, "a trap: \(trapping.tried) cases tried instead of 10")
        }
        runner.trapAt = nil
        var lines = try LinesOfFileText(scene.folder + "/truth")
        let last = lines.removeLast()
        try lines.write(to: scene.folder + "/truth")
        let tooMany = try runner.run(try Scene(scene.folder), file: log, .none, .init())
        report("event that was never sent", .invented, tooMany.findings, &rows, &findings)
        lines.append(last.replacing("crash-token", with: "crash-tokem"))
        try lines.write(to: scene.folder + "/truth")
        let altered = try runner.run(try Scene(scene.folder), file: log, .none, .init())
        report("event that was changed", .altered, altered.findings, &rows, &findings)
    }

    /// Shows that each kind of damage is applied, on a file that every log has: SQLite's checksums make it harmless.
    private func testDamage(
        _ workspace: Workspace, _ seed: UInt64, _ rows: inout [(String, String)], _ findings: inout Findings
    ) throws {
        let options = ["--events", "12", "--small", "--quiet", "--gate-after", "3", "--die-after-commit"]
        let scene = try SceneMaker(workspace: workspace, seed: seed).make("damage", [options], &findings)
        let work = try workspace.makeFolder("copies")
        let runner = ProbeRunner(
            workspace: workspace, work: work, seed: seed, maximumCases: self.options.short ? 8 : 20)
        let log = "events.sqlite-wal"
        for damage in Damage.allCases {
            let figures = try runner.run(scene, file: log, damage, .init())
            rows.append(("damage: \(damage.rawValue)", figures.text))
            findings += figures.findings
            if figures.tried == 0 { findings.add(.failed, "damage \(damage.rawValue): nothing was tried") }
        }
        guard let image = scene.image(log) else { return }
        let locations = RingRecords.thresholds(image, truth: scene.truth)
        rows.append(("lines found in the file as they are", "\(locations.count) of \(scene.truth.count)"))
        if locations.count != scene.truth.count { findings.add(.failed, "\(locations.count) lines found") }
    }
}
