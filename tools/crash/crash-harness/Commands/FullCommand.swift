import ArgumentParser
import CrashSupport
import Foundation
internal import Primitives

/// `full`: a log on a small disk that is repeatedly filled, killed, delivered and pruned.
struct FullCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "full", abstract: "Fill a small disk repeatedly, kill the sender, and compare.")

    @OptionGroup var options: HarnessOptions

    @Option(help: "Number of senders. Default 100, short 10.")
    var senders: Int?

    @Option(help: "Size of the disk in KiB.")
    var kilobytes = 12 << 10

    func validate() throws { try requireAboveZero(("--senders", senders), ("--kilobytes", kilobytes)) }

    func run() async throws {
        try await options.run("full") { workspace, seed, findings in
            guard let disk = try SmallDisk(workspace.makeFolder("disk"), kilobytes: kilobytes, workspace) else {
                StandardOutput.note("  skipped: cannot mount a small disk, which needs root")
                return []
            }
            let sink = try workspace.makeFolder("sink")
            let arguments = ["--sink-folder", sink, "--keep-count", "10"]
            let launcher = SenderLauncher(
                folder: disk.path, notes: workspace.path, lanes: 2, capacity: 20_000, seed: seed, isolates: true,
                misjudges: true)
            var random = SplitMix64(seed: seed)
            var runs: [Int: RunNotes] = [:]
            var fullTimes = 0
            for run in 1...(senders ?? (options.short ? 10 : 100)) {
                // A sender that only sends fills the disk; a sender that flushes frees space.
                let fills = !run.isMultiple(of: 3)
                let sender = try launcher.start(run: run, arguments + ["--pause", "0"] + (fills ? ["--quiet"] : []))
                _ = sender.wait(seconds: 20) { sender.notebook.acknowledged >= 20_000 }
                usleep(UInt32.random(in: 0...300_000, using: &random))
                if disk.room < 2 << 20, sender.notebook.diagnostics > 0 { fullTimes += 1 }
                sender.child.kill()
                if sender.child.wait(seconds: 20) == nil { findings.add(.hung, "run \(run)") }
                runs[run] = sender.notes
                try FileManager.default.removeItem(atPath: workspace.path("notebook-\(run)"))
            }
            runs[0] = try launcher.settle(run: 0, arguments, findings: &findings)
            let audit = try LogAudit(disk.path + "/events.sqlite", behind: sink, runs: runs)
            findings += audit.findings
            findings.requireAcknowledged(runs)
            if fullTimes == 0 { findings.add(.failed, "the disk was never full") }
            return [
                ("senders", "\(runs.count - 1)"), ("times that the disk was full", "\(fullTimes)"),
                ("acknowledged", "\(audit.acknowledged)"), ("found", "\(audit.found)"),
                ("refused", "\(runs.values.reduce(0) { $0 + $1.refused })"), ("highest number", "\(audit.highest)"),
            ]
        }
    }
}

/// A file system in memory, unmounted when it is released.
private final class SmallDisk {
    let path: String

    /// Mounts a file system; nil without permission.
    init?(_ path: String, kilobytes: Int, _ workspace: Workspace) throws {
        self.path = path
        let mount = try Child(
            "/usr/bin/mount", ["-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", path],
            errors: workspace.path("mount.log"))
        guard mount.wait(seconds: 10) == .exited(0) else { return nil }
    }

    deinit { umount2(path, Int32(MNT_DETACH)) }

    /// The free bytes.
    var room: Int {
        var status = statvfs()
        return statvfs(path, &status) == 0 ? Int(status.f_bavail) * Int(status.f_frsize) : 0
    }
}
