internal import EventModel
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

/// The batches that wait for their lanes, in the order in which they came for each.
package struct LaneBacklog: Sendable {
    /// Bytes of memory that all of them may take.
    private let maximumBytes: Int
    /// Batches of a lane at most.
    private let maximumCount: Int
    private var lanes: [BatchQueue]
    /// Bytes of memory that all of them take.
    package private(set) var bytes = 0

    /// - Parameter maximumBytes: A batch that takes more waits alone.
    package init(lanes: Int, maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        // A single lane keeps no other from going on: what is next, and what comes after, is enough for it.
        maximumCount = lanes == 1 ? 2 : .max
        self.lanes = Array(repeating: BatchQueue(), count: lanes)
    }

    /// Whether a batch may come to the others.
    package func hasRoom(for batch: ReplayBatch) -> Bool {
        guard bytes > 0 else { return true }
        return bytes + batch.footprint <= maximumBytes && lanes[batch.lane].count < maximumCount
    }

    package mutating func append(_ batch: ReplayBatch) {
        bytes += batch.footprint
        lanes[batch.lane].append(batch)
    }

    /// The first batch of a lane; nil if none waits.
    package mutating func take(lane: Int) -> ReplayBatch? {
        guard let batch = lanes[lane].takeFirst() else { return nil }
        bytes -= batch.footprint
        return batch
    }

    /// Forgets all of them.
    package mutating func removeAll() { self = LaneBacklog(lanes: lanes.count, maximumBytes: maximumBytes) }
}

/// Batches in their order. To take one out costs the same however many there are.
private struct BatchQueue: Sendable {
    private var batches: [ReplayBatch?] = []
    private var first = 0

    var count: Int { batches.count - first }

    mutating func append(_ batch: ReplayBatch) { batches.append(batch) }

    mutating func takeFirst() -> ReplayBatch? {
        guard first < batches.count else { return nil }
        let batch = batches[first]
        batches[first] = nil
        first += 1
        // Each place is moved once at most for each that was taken out.
        if first * 2 >= batches.count {
            batches.removeFirst(first)
            first = 0
        }
        return batch
    }
}

extension ReplayBatch {
    /// Bytes of memory that it takes, about.
    fileprivate var footprint: Int {
        let parsed = recorded.reduce(0) { $0 + $1.record.line.count + MemoryLayout<RecordedEvent>.size }
        return MemoryLayout<ReplayBatch>.size + body.capacity + ends.capacity * MemoryLayout<Int>.size + parsed
    }
}

/// Which lane takes whose events: all of one user's go into one, so that they keep their order.
struct LaneChoice {
    let lanes: Int

    /// The lane of a user: FNV-1a of the id's bytes.
    func lane(of user: UnsafeRawBufferPointer) -> Int {
        guard lanes > 1 else { return 0 }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in user { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        return Int((hash ^ hash >> 32) % UInt64(lanes))
    }
}
