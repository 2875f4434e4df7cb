internal import CrashSupport
internal import Tracking

/// Flushes and checkpoints again and again, at times of chance.
struct Flushing: Sendable {
    let model: TrackingModel
    let notebook: Notebook
    let neighbour: DatabaseNeighbour
    let seed: UInt64

    /// Goes on until its task is cancelled.
    func run() async {
        var chance = SeededGenerator(seed: seed)
        var round = 0
        while !Task.isCancelled {
            round += 1
            await flush()
            if round.isMultiple(of: 3) {
                notebook.enter(.checkpointing)
                neighbour.checkpoint()
                notebook.leave(.checkpointing)
            }
            let pause = Duration.microseconds(Int64.random(in: 0...8_000, using: &chance))
            try? await Task.sleep(for: pause)  // ends early when cancelled
        }
    }

    func flush() async {
        notebook.enter(.flushing)
        await model.flush()
        notebook.leave(.flushing)
    }
}
