internal import CrashSupport
internal import Foundation
internal import Primitives
internal import TrackingCore

/// A collector that fails at random: it is unreachable, responds late or not at all, can't name the invalid event, or requests an
/// event again. A batch that it accepted under an id stays accepted: a repeat gets the same response.
final class RandomCollector: Sink {
    /// Whether an event is rejected, always with the same result.
    static func isPoison(_ seq: Int64) -> Bool { seq % 1009 == 0 }

    private struct State {
        let log: CollectorLog
        var accepted: [String: IndexSet] = [:]
        var random: SplitMix64
    }

    static let name = "collector"
    var name: String { Self.name }
    private let state: Locked<State>
    private let notebook: Notebook
    private let isCalm: Bool

    init(path: String, notebook: Notebook, isCalm: Bool, seed: UInt64) throws {
        // Handed over here, and touched under the lock from now on.
        nonisolated(unsafe) let state = State(log: try CollectorLog(path: path), random: SplitMix64(seed: seed))
        self.state = Locked(state)
        self.notebook = notebook
        self.isCalm = isCalm
    }

    func deliver(_ batch: EventBatch) async -> DeliveryResult {
        notebook.enter(.delivering)
        defer { notebook.leave(.delivering) }
        let (before, after) = pauses()
        if let before { try? await Task.sleep(for: before) }  // cut short by the deadline, it answers all the same
        do {
            let answer = try answer(batch)
            if let after { try? await Task.sleep(for: after) }  // a kill may come before the answer
            return answer
        } catch {
            return .retry(after: nil, reason: "collector.log: \(error)")
        }
    }

    private func pauses() -> (Duration?, Duration?) {
        guard !isCalm else { return (nil, nil) }
        return state.withLock { state in
            func draw() -> Duration? {
                guard Int.random(in: 0..<4, using: &state.random) == 0 else { return nil }
                return .microseconds(Int64.random(in: 0...20_000, using: &state.random))
            }
            return (draw(), draw())
        }
    }

    private func answer(_ batch: EventBatch) throws -> DeliveryResult {
        try state.withLock { state in
            try state.log.exclusively {
                for news in try state.log.news() {
                    for seqs in news.seqs {
                        state.accepted[news.id, default: []].insert(
                            integersIn: Int(seqs.lowerBound)...Int(seqs.upperBound))
                    }
                }
                if let accepted = state.accepted[batch.id] { return Self.verdict(batch, accepted) }
                let roll = isCalm ? 99 : Int.random(in: 0..<100, using: &state.random)
                if roll < 8 { return .retry(after: nil, reason: "away") }
                let hasPoison = batch.records.contains { Self.isPoison($0.seq) }
                // Whether it can name an event at fault is a matter of chance, too.
                if hasPoison, roll % 2 == 0 { return .rejected(reason: "one of them is poison") }
                let seqs = batch.records.map(\.seq).filter { seq in
                    !Self.isPoison(seq) && (isCalm || Int.random(in: 0..<500, using: &state.random) != 0)
                }
                if !seqs.isEmpty {
                    try state.log.add(
                        CollectorLog.Acceptance(id: batch.id, checksum: batch.checksum, seqs: seqs))
                }
                let accepted = IndexSet(seqs.map(Int.init))
                state.accepted[batch.id] = accepted
                // Accepted, and the answer is lost.
                if roll < 16 { return .retry(after: nil, reason: "no answer") }
                return Self.verdict(batch, accepted)
            }
        }
    }

    /// The result of each event when the batch was accepted.
    private static func verdict(_ batch: EventBatch, _ accepted: IndexSet) -> DeliveryResult {
        var verdicts: [Int64: EventVerdict] = [:]
        for seq in batch.records.map(\.seq) where !accepted.contains(Int(seq)) {
            verdicts[seq] = isPoison(seq) ? .refused(reason: "poison") : .retry(reason: "again, please")
        }
        guard !verdicts.isEmpty else {
            return .delivered(through: batch.records[batch.records.count - 1].seq, checkpoint: nil)
        }
        return .judged(verdicts, checkpoint: nil)
    }
}
