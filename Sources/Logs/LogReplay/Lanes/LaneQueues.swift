internal import EventModel
internal import Primitives

/// Distributes batches to their lanes. The size of queued batches is limited, to keep memory constant; below the
/// limit, a waiting lane does not block the others. For one producer, and one consumer for each lane.
final class LaneQueues: Sendable {
    private struct State: Sendable {
        var backlog: LaneBacklog
        var isClosed = false
        var isAbandoned = false
        /// The waiting consumers, by lane.
        var consumers: [Int: CheckedContinuation<ReplayBatch?, Never>] = [:]
        /// The waiting producer, with the batch that does not fit yet.
        var producer: (batch: ReplayBatch, isWanted: CheckedContinuation<Bool, Never>)?
    }

    private let state: Locked<State>

    /// - Parameter maximumBytes: The limit on the size of queued batches.
    init(lanes: Int, maximumBytes: Int) {
        state = Locked(State(backlog: LaneBacklog(lanes: lanes, maximumBytes: maximumBytes)))
    }

    /// Adds a batch. Waits until it fits, or until its lane consumes it.
    ///
    /// - Returns: Whether more batches are wanted.
    func put(_ batch: ReplayBatch) async -> Bool {
        await withCheckedContinuation { continuation in
            let (consumer, isWanted) = state.withLock { state -> (CheckedContinuation<ReplayBatch?, Never>?, Bool?) in
                if state.isAbandoned { return (nil, false) }
                if let consumer = state.consumers.removeValue(forKey: batch.lane) { return (consumer, true) }
                guard state.backlog.hasRoom(for: batch) else {
                    state.producer = (batch, continuation)
                    return (nil, nil)
                }
                state.backlog.append(batch)
                return (nil, true)
            }
            consumer?.resume(returning: batch)
            if let isWanted { continuation.resume(returning: isWanted) }
        }
    }

    /// Waits for the next batch of a lane; nil at the end.
    func next(lane: Int) async -> ReplayBatch? {
        await withCheckedContinuation { continuation in
            let (answer, producer) = state.withLock { state -> (ReplayBatch??, CheckedContinuation<Bool, Never>?) in
                if state.isAbandoned { return (.some(nil), nil) }
                if let batch = state.backlog.removeFirst(ofLane: lane) {
                    guard let producer = state.producer, state.backlog.hasRoom(for: producer.batch) else {
                        return (batch, nil)
                    }
                    state.backlog.append(producer.batch)
                    state.producer = nil
                    return (batch, producer.isWanted)
                }
                if let producer = state.producer, producer.batch.lane == lane {
                    state.producer = nil
                    return (producer.batch, producer.isWanted)
                }
                if state.isClosed { return (.some(nil), nil) }
                state.consumers[lane] = continuation
                return (nil, nil)
            }
            producer?.resume(returning: true)
            if let answer { continuation.resume(returning: answer) }
        }
    }

    /// Ends the queues after the last batch.
    func close() { end { $0.isClosed = true } }

    /// Discards all queued batches.
    func abandon() {
        end {
            $0.isAbandoned = true
            $0.backlog.removeAll()
        }
    }

    private func end(_ change: (inout State) -> Void) {
        let (consumers, producer) = state.withLock { state in
            change(&state)
            defer {
                state.consumers = [:]
                state.producer = nil
            }
            return (state.consumers, state.producer?.isWanted)
        }
        for consumer in consumers.values { consumer.resume(returning: nil) }
        producer?.resume(returning: false)
    }
}

/// The queued batches of all lanes, in order for each lane.
package struct LaneBacklog: Sendable {
    /// The limit on memory in bytes.
    private let maximumBytes: Int
    /// The limit on batches in a lane.
    private let maximumCount: Int
    private var lanes: [BatchQueue]
    /// The memory in use, in bytes.
    package private(set) var bytes = 0

    /// - Parameter maximumBytes: The limit on memory. A larger batch is queued alone.
    package init(lanes: Int, maximumBytes: Int) {
        self.maximumBytes = maximumBytes
        // A single lane blocks no others, so two batches are sufficient.
        maximumCount = lanes == 1 ? 2 : .max
        self.lanes = Array(repeating: BatchQueue(), count: lanes)
    }

    /// Whether a batch fits.
    package func hasRoom(for batch: ReplayBatch) -> Bool {
        guard bytes > 0 else { return true }
        return bytes + batch.footprint <= maximumBytes && lanes[batch.lane].count < maximumCount
    }

    package mutating func append(_ batch: ReplayBatch) {
        bytes += batch.footprint
        lanes[batch.lane].append(batch)
    }

    /// Removes and returns the first batch of a lane; nil if it is empty.
    package mutating func removeFirst(ofLane lane: Int) -> ReplayBatch? {
        guard let batch = lanes[lane].removeFirst() else { return nil }
        bytes -= batch.footprint
        return batch
    }

    /// Removes all batches.
    package mutating func removeAll() { self = LaneBacklog(lanes: lanes.count, maximumBytes: maximumBytes) }
}

/// A queue of batches. Removing the first batch takes amortized constant time.
private struct BatchQueue: Sendable {
    private var batches: [ReplayBatch?] = []
    private var first = 0

    var count: Int { batches.count - first }

    mutating func append(_ batch: ReplayBatch) { batches.append(batch) }

    mutating func removeFirst() -> ReplayBatch? {
        guard first < batches.count else { return nil }
        let batch = batches[first]
        batches[first] = nil
        first += 1
        // Each element is moved at most once per removal.
        if first * 2 >= batches.count {
            batches.removeFirst(first)
            first = 0
        }
        return batch
    }
}

extension ReplayBatch {
    /// The approximate memory use in bytes.
    fileprivate var footprint: Int {
        let parsed = recorded.reduce(0) { $0 + $1.record.line.count + MemoryLayout<RecordedEvent>.size }
        return MemoryLayout<ReplayBatch>.size + body.capacity + ends.capacity * MemoryLayout<Int>.size + parsed
    }
}

/// Assigns users to lanes. All events of a user go to the same lane, which keeps their order.
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
