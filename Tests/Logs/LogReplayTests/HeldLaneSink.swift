import LogReplay

/// A sink that does not answer the first lane until it has received a number of events of the others.
actor HeldLaneSink: ReplaySink {
    private var missing: Int
    private var held: [CheckedContinuation<Void, Never>] = []
    /// The batches in the order in which they were answered.
    private(set) var taken: [ReplayBatch] = []

    init(untilOthersHave events: Int) { missing = events }

    func deliver(_ batch: ReplayBatch) async -> SinkAnswer {
        if batch.lane == 0 {
            if missing > 0 { await withCheckedContinuation { held.append($0) } }
        } else {
            missing -= batch.count
            if missing <= 0 {
                for lane in held { lane.resume() }
                held = []
            }
        }
        taken.append(batch)
        return .delivered(.init(kept: batch.count))
    }
}
