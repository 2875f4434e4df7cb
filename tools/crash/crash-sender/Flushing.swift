internal import CrashSupport
internal import Primitives
internal import TrackingCore

/// Flushes and checkpoints repeatedly, at random times.
struct Flushing: Sendable {
    let model: Tracker
    let notebook: Notebook
    let neighbour: DatabaseNeighbour
    let seed: UInt64

    /// Flushes until its task is cancelled.
    func flushAgainAndAgain() async {
        var random = SplitMix64(seed: seed)
        while !Task.isCancelled {
            await flush()
            let pause = Duration.microseconds(Int64.random(in: 0...8_000, using: &random))
            try? await Task.sleep(for: pause)  // ends early when cancelled
        }
    }

    /// Checkpoints until its task is cancelled, in parallel to the flushes, which may last as long as events arrive.
    func checkpointAgainAndAgain() async {
        var random = SplitMix64(seed: ~seed)
        while !Task.isCancelled {
            let pause = Duration.microseconds(Int64.random(in: 5_000...30_000, using: &random))
            try? await Task.sleep(for: pause)  // ends early when cancelled
            notebook.enter(.checkpointing)
            neighbour.checkpoint()
            notebook.leave(.checkpointing)
        }
    }

    func flush() async {
        notebook.enter(.flushing)
        await model.flush()
        notebook.leave(.flushing)
    }
}
