internal import EventLog
internal import EventModel

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
