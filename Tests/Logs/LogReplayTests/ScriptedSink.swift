import LogReplay
import Primitives

/// A sink that keeps the batches it accepts, with scripted answers.
final class ScriptedSink: ReplaySink {
    private let answer: @Sendable (ReplayBatch, _ call: Int) throws -> SinkAnswer
    private let calls = Locked<[(batch: ReplayBatch, answer: SinkAnswer)]>([])

    /// - Parameter answer: Called with each batch and how many came before it.
    init(
        _ answer: @escaping @Sendable (ReplayBatch, Int) throws -> SinkAnswer = { batch, _ in
            .delivered(.init(kept: batch.count))
        }
    ) { self.answer = answer }

    func deliver(_ batch: ReplayBatch) throws -> SinkAnswer {
        let given = try answer(batch, calls.withLock { $0.count })
        calls.withLock { $0.append((batch, given)) }
        return given
    }

    /// All batches received.
    var batches: [ReplayBatch] { calls.withLock { $0.map(\.batch) } }

    /// The accepted batches.
    var taken: [ReplayBatch] {
        calls.withLock { calls in
            calls.compactMap { if case .delivered = $0.answer { $0.batch } else { nil } }
        }
    }
}
