import CrashSupport
import Foundation
internal import Primitives

/// A sender that was started, with its notebook.
struct RunningSender {
    let run: Int
    let notebook: Notebook
    let child: Child

    /// What it was told, once it has ended.
    var notes: RunNotes { RunNotes(run: run, notebook: notebook) }

    /// Waits for the sender to reach a gate; false if it ended, or took longer.
    func waitForGate(_ gate: Int = 1, seconds: Int = 30) -> Bool {
        wait(seconds: seconds) { notebook.arrivals >= gate }
    }

    /// Waits until something is so; false if the sender ended before, or it took longer.
    ///
    /// - Parameter spins: Whether to look all the time, for what is over in less than a millisecond.
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
    /// Where notebooks and what senders say go.
    let notes: String
    var lanes = 1
    /// How many events a lane's notebook has room for.
    var capacity = 100_000
    let seed: UInt64
    /// Whether every third one gets a PID namespace of its own, where that is to be had.
    var isolates = false
    /// Whether they deliver to a collector, too.
    var collects = false
    /// Whether every second one gets its verdicts about other writers turned over at times.
    var misjudges = false

    /// Starts one.
    ///
    /// - Parameters:
    ///   - run: Its number, one of a kind in the log.
    ///   - arguments: Further options.
    ///   - environment: Set beside our own variables.
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
            // A kill of the first process of a namespace, or of who made it, ends all of it.
            all = ["--pid", "--fork", "--kill-child", "--mount-proc", program] + all
            program = Programs.unshare
        }
        let child = try Child(program, all, errors: "\(notes)/senders.log", environment: environment)
        // What was mapped stays mapped; the notes of a thousand runs need no thousand files.
        return RunningSender(run: run, notebook: notebook, child: child)
    }

    /// Opens the log, moves and flushes all that waits, and closes it.
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
