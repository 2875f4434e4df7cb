internal import DeliveryProtocol
internal import Primitives

/// Numbers that a server has lost, or never had, and asks for again. Safe from any thread.
///
/// Kept in memory only: after a restart the next receipt asks again. A wish is never carried over to another install: its
/// numbers mean other events there.
final class WantedNumbers: Sendable {
    private struct State {
        /// The install that the wishes are about.
        var installID = ""
        /// The log's number to deliver again from.
        var first: Int64?
        /// What was delivered again already: a server that goes on asking gets nothing more.
        var served: Set<Int64> = []
    }

    private let state = Locked(State())

    /// Notes what a receipt asks for. Only numbers before the batch: its own are settled with it, later ones are on their way.
    func note(_ receipt: Receipt, for batch: EventBatch) {
        let seq = receipt.missing.first.map(\.lowerBound).flatMap { $0 > 0 && $0 < batch.seqs.lowerBound ? $0 : nil }
        state.withLock { state in
            if state.installID != batch.installID { state = State(installID: batch.installID) }
            state.first = seq.map { batch.base + $0 }.flatMap { state.served.contains($0) ? nil : $0 }
        }
    }

    /// Forgets all wishes: the log goes on as another install.
    func forget() { state.withLock { $0 = State() } }

    /// The log's number to deliver again from; nil the next time.
    func take() -> Int64? {
        state.withLock { state in
            guard let first = state.first else { return nil }
            state.served.insert(first)
            state.first = nil
            return first
        }
    }
}
