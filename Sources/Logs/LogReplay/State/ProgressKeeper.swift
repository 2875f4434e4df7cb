internal import EventModel

/// Stores the state of a replay, at most every 100 ms unless it must be durable.
actor ProgressKeeper<Clock: ReplayClock> {
    private static var interval: Duration { .milliseconds(100) }

    private(set) var state: ReplayState
    /// Nil to store nothing.
    private let file: StateFile?
    private let sink: any ReplaySink
    private let clock: Clock
    /// The offset from which dead letters of each lane's first batch may exist, if an earlier run has written some.
    private var letters: [Int64?]
    private var isWritten = false
    private var lastWrite: Duration?

    init(_ state: ReplayState, file: StateFile?, sink: any ReplaySink, clock: Clock) {
        self.state = state
        letters = state.lanes.map(\.letters)
        self.file = file
        self.sink = sink
        self.clock = clock
    }

    /// Records that a lane's batch is done.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; errors of the sink.
    func done(_ batch: ReplayBatch) async throws {
        state.lanes[batch.lane].events = batch.first + batch.count
        state.lanes[batch.lane].checksum = batch.checksum
        state.lanes[batch.lane].stamp = nil
        state.lanes[batch.lane].letters = nil
        letters[batch.lane] = nil
        isWritten = false
        if lastWrite.map({ clock.now - $0 >= Self.interval }) ?? true { try await write() }
    }

    /// The time of sending for the next batch of a lane. A batch that was interrupted in an earlier run keeps its
    /// time.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; errors of the sink.
    func stamp(lane: Int, now: EventTime) async throws -> EventTime {
        if let stamp = state.lanes[lane].stamp { return stamp }
        state.lanes[lane].stamp = now
        isWritten = false
        try await write()
        return now
    }

    /// Writes rejected events of a lane's current batch to the dead letter file. Stores its offset first, so that a
    /// later run writes only missing dead letters.
    ///
    /// - Throws: See ``DeadLetterFile/end()``; errors of the sink.
    func putAside(
        _ part: ReplayBatch, in letterFile: DeadLetterFile, reason: SinkReason, attempts: Int, time: EventTime
    ) async throws {
        if state.lanes[part.lane].letters == nil {
            state.lanes[part.lane].letters = try await letterFile.end()
            isWritten = false
            try await write()
        }
        letters[part.lane] = try await letterFile.append(
            part, reason: reason, attempts: attempts, time: time, from: letters[part.lane])
    }

    /// Stores the state if it has changed.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; errors of the sink.
    func write() async throws {
        guard let file else { return }
        let position = try await sink.checkpoint()
        guard !isWritten else { return }
        // Don't suspend from here on: an older state must not replace a newer one.
        state.position = position
        try file.write(state)
        isWritten = true
        lastWrite = clock.now
    }
}
