internal import Locking

/// The batches of a lane that wait for their turn: few, so that memory stays flat. For one thread that puts in, and one
/// that takes out.
final class LaneQueue: Sendable {
    private struct State: Sendable {
        var batches: [ReplayBatch] = []
        var isClosed = false
        var isAbandoned = false
        var taker: CheckedContinuation<ReplayBatch?, Never>?
        var putter: CheckedContinuation<Void, Never>?
    }

    private let capacity: Int
    private let state = Locked(State())

    init(capacity: Int) { self.capacity = capacity }

    /// Adds a batch; waits until there is room for it.
    ///
    /// - Returns: Whether more are wanted.
    func put(_ batch: ReplayBatch) async -> Bool {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.isAbandoned || state.batches.count < capacity { return true }
                state.putter = continuation
                return false
            }
            if hasRoom { continuation.resume() }
        }
        let (taker, isAbandoned) = state.withLock { state in
            if state.isAbandoned { return (nil as CheckedContinuation<ReplayBatch?, Never>?, true) }
            defer { state.taker = nil }
            if state.taker == nil { state.batches.append(batch) }
            return (state.taker, false)
        }
        taker?.resume(returning: batch)
        return !isAbandoned
    }

    /// The next batch; waits for it. Nil if no more come.
    func next() async -> ReplayBatch? {
        await withCheckedContinuation { continuation in
            let (answer, putter) = state.withLock { state -> (ReplayBatch??, CheckedContinuation<Void, Never>?) in
                if state.isAbandoned { return (.some(nil), nil) }
                if !state.batches.isEmpty {
                    defer { state.putter = nil }
                    return (state.batches.removeFirst(), state.putter)
                }
                if state.isClosed { return (.some(nil), nil) }
                state.taker = continuation
                return (nil, nil)
            }
            putter?.resume()
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Says that no more batches come.
    func close() { end { $0.isClosed = true } }

    /// Forgets what waits: nobody takes it any more.
    func abandon() {
        end {
            $0.isAbandoned = true
            $0.batches = []
        }
    }

    private func end(_ change: (inout State) -> Void) {
        let (taker, putter) = state.withLock { state in
            change(&state)
            defer { (state.taker, state.putter) = (nil, nil) }
            return (state.taker, state.putter)
        }
        taker?.resume(returning: nil)
        putter?.resume()
    }
}
