internal import Primitives

/// Hands batches to their lanes. What waits for its turn takes so many bytes at most, so that memory stays flat; until
/// then a lane that has to wait keeps no other from going on. For one thread that puts in, and one for each lane that takes
/// out.
final class LaneQueues: Sendable {
    private struct State: Sendable {
        var backlog: LaneBacklog
        var isClosed = false
        var isAbandoned = false
        /// Who waits for a batch, by lane.
        var takers: [Int: CheckedContinuation<ReplayBatch?, Never>] = [:]
        /// What there is no room for, and who waits for it to be taken in.
        var putter: (batch: ReplayBatch, isWanted: CheckedContinuation<Bool, Never>)?
    }

    private let state: Locked<State>

    /// - Parameter maximumBytes: Of all batches that wait for their turn.
    init(lanes: Int, maximumBytes: Int) {
        state = Locked(State(backlog: LaneBacklog(lanes: lanes, maximumBytes: maximumBytes)))
    }

    /// Adds a batch; waits until there is room for it, or its lane takes it.
    ///
    /// - Returns: Whether more are wanted.
    func put(_ batch: ReplayBatch) async -> Bool {
        await withCheckedContinuation { continuation in
            let (taker, isWanted) = state.withLock { state -> (CheckedContinuation<ReplayBatch?, Never>?, Bool?) in
                if state.isAbandoned { return (nil, false) }
                if let taker = state.takers.removeValue(forKey: batch.lane) { return (taker, true) }
                guard state.backlog.hasRoom(for: batch) else {
                    state.putter = (batch, continuation)
                    return (nil, nil)
                }
                state.backlog.append(batch)
                return (nil, true)
            }
            taker?.resume(returning: batch)
            if let isWanted { continuation.resume(returning: isWanted) }
        }
    }

    /// The next batch of a lane; waits for it. Nil if no more come.
    func next(lane: Int) async -> ReplayBatch? {
        await withCheckedContinuation { continuation in
            let (answer, putter) = state.withLock { state -> (ReplayBatch??, CheckedContinuation<Bool, Never>?) in
                if state.isAbandoned { return (.some(nil), nil) }
                if let batch = state.backlog.take(lane: lane) {
                    guard let putter = state.putter, state.backlog.hasRoom(for: putter.batch) else {
                        return (batch, nil)
                    }
                    state.backlog.append(putter.batch)
                    state.putter = nil
                    return (batch, putter.isWanted)
                }
                if let putter = state.putter, putter.batch.lane == lane {
                    state.putter = nil
                    return (putter.batch, putter.isWanted)
                }
                if state.isClosed { return (.some(nil), nil) }
                state.takers[lane] = continuation
                return (nil, nil)
            }
            putter?.resume(returning: true)
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Says that no more batches come.
    func close() { end { $0.isClosed = true } }

    /// Forgets what waits: nobody takes it any more.
    func abandon() {
        end {
            $0.isAbandoned = true
            $0.backlog.removeAll()
        }
    }

    private func end(_ change: (inout State) -> Void) {
        let (takers, putter) = state.withLock { state in
            change(&state)
            defer { (state.takers, state.putter) = ([:], nil) }
            return (state.takers, state.putter?.isWanted)
        }
        for taker in takers.values { taker.resume(returning: nil) }
        putter?.resume(returning: false)
    }
}
