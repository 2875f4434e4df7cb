import CrashSupport
import Foundation

/// Runs the cases of a scene in child processes, with a new child after each trap or hang.
struct ProbeRunner {
    let workspace: Workspace
    /// The folder for damaged copies, in memory if possible.
    let work: String
    let seed: UInt64
    /// The maximum number of cases for each file and kind of damage; nil for all.
    let maximumCases: Int?
    /// The part of the cases in which the probe traps.
    var trapAt: Int?

    /// What a row of the table says.
    struct Figures {
        var tried = 0
        var findings = Findings()

        var text: String {
            let bad = Fault.allCases.filter { findings[$0] > 0 }.map { ", \($0.rawValue) \(findings[$0])" }.joined()
            return "\(tried) tried" + (bad.isEmpty ? ", nothing wrong" : bad)
        }
    }

    func run(_ scene: Scene, file: String, _ damage: Damage, _ expectation: Scene.Expectation) throws -> Figures {
        guard let image = scene.image(file) else { throw HarnessError("the scene has no \(file)") }
        let selection = CaseSelection(
            count: damage.caseCount(image, old: scene.old[file]), maximum: maximumCases, seed: seed)
        let expected = workspace.path("expectation.json")
        try JSONEncoder().encode(expectation).write(to: URL(fileURLWithPath: expected))
        var figures = Figures()
        var next = 0
        while next < selection.partCount {
            let notebook = try Notebook(creating: workspace.path("probe-notebook"), lanes: 1, capacity: 1)
            let output = workspace.path("probe-output")
            let child = try Child(
                Programs.harness,
                [
                    "probe", "--scene", scene.folder, "--file", file, "--damage", damage.rawValue, "--expectation",
                    expected, "--from", "\(next)", "--seed", "\(seed)", "--notebook", workspace.path("probe-notebook"),
                    "--work", work,
                ] + (maximumCases.map { ["--cases", "\($0)"] } ?? []) + (trapAt.map { ["--trap-at", "\($0)"] } ?? []),
                output: output, errors: workspace.path("probes.log"))
            let end = watch(child, notebook)
            try read(output, &figures.findings)
            let last = notebook.begun(lane: 0) - 1
            guard last >= next || end == .exited(0) else {
                throw HarnessError("the probe does not start; see \(workspace.path("probes.log"))")
            }
            let location = "\(file) \(damage.rawValue) \(last < 0 ? 0 : selection.number(last))"
            switch end {
            case .exited(0)?:
                figures.tried += selection.partCount - next
                return figures
            case .exited(let code)?: figures.findings.add(.failed, "\(location): exit code \(code), see probes.log")
            case .signalled(let signal)?: figures.findings.add(.trapped, "\(location): signal \(signal)")
            case nil: figures.findings.add(.hung, location)
            }
            figures.tried += last - next + 1
            next = last + 1
            // After this many traps, further cases show nothing new.
            if figures.findings[.trapped] + figures.findings[.hung] >= 200 { return figures }
        }
        return figures
    }

    /// Waits for a child to end; if a case takes more than 30 seconds, ends the child and returns nil.
    private func watch(_ child: Child, _ notebook: Notebook) -> ChildEnd? {
        var (last, since) = (-1, ContinuousClock.now)
        while true {
            if let end = child.poll() { return end }
            let begun = notebook.begun(lane: 0)
            if begun != last { (last, since) = (begun, .now) }
            if ContinuousClock.now - since > .seconds(30) {
                child.kill()
                _ = child.wait(seconds: 10)
                return nil
            }
            usleep(1_000)
        }
    }

    private func read(_ output: String, _ findings: inout Findings) throws {
        let lines = try LinesOfFile(output)
        while let (line, _) = lines.next() {
            let parts = String(decoding: line, as: UTF8.self).split(separator: "\t", maxSplits: 2)
            guard parts.count == 3, let fault = Fault(rawValue: String(parts[0])), let count = Int(parts[1]) else {
                continue
            }
            findings.add(fault, count: count, String(parts[2]))
        }
    }
}
