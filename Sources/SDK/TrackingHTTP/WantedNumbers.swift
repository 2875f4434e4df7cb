internal import DeliveryProtocol
internal import Primitives

/// Numbers that a server has lost, or never received, and requests again. Thread-safe.
///
/// Kept in memory only: after a restart, the next receipt requests them again. Requests never apply to another install,
/// where the same numbers are other events.
final class WantedNumbers: Sendable {
    private struct State {
        /// The install of the requested numbers.
        var installID = ""
        /// The log's number from which to redeliver.
        var first: Int64?
        /// Numbers that were redelivered already: a server that keeps requesting them gets nothing more.
        var served: Set<Int64> = []
    }

    private let state = Locked(State())

    /// Records the numbers that a receipt requests. Ignores the batch's own numbers, which are settled with the batch,
    /// and later numbers, which have not been sent.
    func note(_ receipt: Receipt, for batch: EventBatch) {
        let seq = receipt.missing.first.map(\.lowerBound).flatMap { $0 > 0 && $0 < batch.seqs.lowerBound ? $0 : nil }
        state.withLock { state in
            if state.installID != batch.installID { state = State(installID: batch.installID) }
            state.first = seq.map { batch.base + $0 }.flatMap { state.served.contains($0) ? nil : $0 }
        }
    }

    /// Removes all requests because the log continues as another install.
    func forget() { state.withLock { $0 = State() } }

    /// Returns the log's number from which to redeliver, once; then nil.
    func take() -> Int64? {
        state.withLock { state in
            guard let first = state.first else { return nil }
            state.served.insert(first)
            state.first = nil
            return first
        }
    }
}
