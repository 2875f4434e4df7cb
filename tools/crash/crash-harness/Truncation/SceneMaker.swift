import CrashSupport
import Foundation

/// Creates the logs that `truncate` damages, with real senders.
struct SceneMaker {
    let workspace: Workspace
    let seed: UInt64

    /// Creates a scene.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - runs: The options of each sender, in order; each ends by itself or by SIGKILL.
    ///   - findings: The errors in the undamaged scene.
    func make(_ name: String, _ runs: [[String]], _ findings: inout Findings) throws -> Scene {
        let folder = try workspace.makeFolder(name)
        let files = folder + "/files"
        try FileManager.default.createDirectory(atPath: files, withIntermediateDirectories: true)
        let launcher = SenderLauncher(folder: files, notes: folder, seed: seed)
        var notes: [Int: RunNotes] = [:]
        for (index, options) in runs.enumerated() {
            let run = index + 1
            let sender = try launcher.start(run: run, options)
            if options.contains("--gate-after") {
                guard sender.waitForGate() else { throw HarnessError("\(name): sender \(run) came to no gate") }
                try FileManager.default.copyItem(atPath: files, toPath: folder + "/old")
                sender.notebook.openGate()
            }
            let end = sender.child.wait(seconds: 120)
            guard end == .exited(0) || end == .signalled(SIGKILL) else {
                throw HarnessError("\(name): sender \(run) \(end?.description ?? "hung"); see senders.log")
            }
            notes[run] = sender.notes
        }
        let copy = folder + "/settled"
        try FileManager.default.copyItem(atPath: files, toPath: copy)
        let settled = runs.count + 1
        let last = SenderLauncher(folder: copy, notes: folder, seed: seed)
        notes[settled] = try last.settle(run: settled, findings: &findings)
        var audit = LogAudit(copy + "/events.sqlite", runs: notes, expecting: notes.keys.sorted()).findings
        audit.prefix(with: "\(name), untouched")
        findings += audit
        return try Scene.store(folder, truthFrom: copy + "/events.sqlite")
    }
}
