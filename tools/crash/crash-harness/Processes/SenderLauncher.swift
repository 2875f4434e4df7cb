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
        let child = try Child(
            Programs.sender, options + arguments, errors: "\(notes)/senders.log", environment: environment)
        // What was mapped stays mapped; the notes of a thousand runs need no thousand files.
        return RunningSender(run: run, notebook: notebook, child: child)
    }

    /// Opens the log, moves and flushes all that waits, and closes it.
    func settle(run: Int, findings: inout Findings) throws -> RunNotes {
        let sender = try start(run: run, ["--events", "0", "--quiet"])
        switch sender.child.wait(seconds: 300) {
        case .exited(0): break
        case .signalled(let signal)?: findings.add(.trapped, "the last, undisturbed run: signal \(signal)")
        case .exited(let code)?: findings.add(.failed, "the last, undisturbed run: exit code \(code)")
        case nil: findings.add(.hung, "the last, undisturbed run")
        }
        return sender.notes
    }
}
