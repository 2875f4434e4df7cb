import CrashSupport
import Foundation
internal import Primitives

/// A running sender with its notebook.
struct RunningSender {
    let run: Int
    let notebook: Notebook
    let child: Child

    /// The notes of the sender, after it has ended.
    var notes: RunNotes { RunNotes(run: run, notebook: notebook) }

    /// Waits until the sender reaches a gate; false if it ends first or the wait times out.
    func waitForGate(_ gate: Int = 1, seconds: Int = 30) -> Bool {
        wait(seconds: seconds) { notebook.arrivals >= gate }
    }

    /// Waits for a condition; false if the sender ends first or the wait times out.
    ///
    /// - Parameter spins: Whether to poll without pauses, for conditions that last less than a millisecond.
    func wait(seconds: Int, spins: Bool = false, until isSo: () -> Bool) -> Bool {
        let deadline = ContinuousClock.now + .seconds(seconds)
        while !isSo() {
            if child.poll() != nil || ContinuousClock.now > deadline { return isSo() }
            if spins { sched_yield() } else { usleep(100) }
        }
        return true
    }
}

/// Starts senders on one log.
struct SenderLauncher {
    /// The folder of the log and of the sink's files.
    let folder: String
    /// The folder for notebooks and the senders' output.
    let notes: String
    var lanes = 1
    /// The maximum number of events per lane in a notebook.
    var capacity = 100_000
    let seed: UInt64
    /// Whether every third sender gets a separate PID namespace, if possible.
    var isolates = false
    /// Whether the senders also deliver to a collector.
    var collects = false
    /// Whether every second sender sometimes gets inverted results about other writers.
    var misjudges = false

    /// Starts a sender.
    ///
    /// - Parameters:
    ///   - run: The number of the run, unique in the log.
    ///   - arguments: Further options.
    ///   - environment: Variables in addition to those of this process.
    func start(run: Int, _ arguments: [String] = [], environment: [String: String] = [:]) throws -> RunningSender {
        let path = "\(notes)/notebook-\(run)"
        let notebook = try Notebook(creating: path, lanes: lanes, capacity: capacity)
        let options = [
            "--folder", folder, "--notebook", path, "--run", "\(run)",
            "--seed", "\(SplitMix64.mixed(seed &+ UInt64(run)))",
        ]
        var (program, all) = (Programs.sender, options + arguments)
        if collects { all.append("--collector") }
        if misjudges, run.isMultiple(of: 2) { all.append("--wrong-verdicts") }
        if isolates, run.isMultiple(of: 3), Programs.canIsolate {
            // If the first process of a namespace or its parent is killed, all its processes end.
            all = ["--pid", "--fork", "--kill-child", "--mount-proc", program] + all
            program = Programs.unshare
        }
        let child = try Child(program, all, errors: "\(notes)/senders.log", environment: environment)
        // Mapped files stay mapped, so the notes of a thousand runs need no files.
        return RunningSender(run: run, notebook: notebook, child: child)
    }

    /// Opens the log, moves and flushes all waiting events, and closes it.
    func settle(run: Int, _ arguments: [String] = [], findings: inout Findings) throws -> RunNotes {
        var calm = self
        (calm.isolates, calm.misjudges) = (false, false)
        let sender = try calm.start(run: run, arguments + ["--events", "0", "--quiet", "--calm"])
        switch sender.child.wait(seconds: 300) {
        case .exited(0): break
        case .signalled(let signal)?: findings.add(.trapped, "the last, undisturbed run: signal \(signal)")
        case .exited(let code)?: findings.add(.failed, "the last, undisturbed run: exit code \(code)")
        case nil: findings.add(.hung, "the last, undisturbed run")
        }
        return sender.notes
    }
}
