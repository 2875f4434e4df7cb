internal import EventModel

/// Writes down how far a replay has come, at most every 100 ms, unless somebody must be sure.
actor ProgressKeeper<Clock: ReplayClock> {
    private static var interval: Duration { .milliseconds(100) }

    /// How far it has come.
    private(set) var state: ReplayState
    /// Nil if nothing is kept.
    private let file: StateFile?
    private let sink: any ReplaySink
    private let clock: Clock
    /// Where the letters of the batch that each lane sends first may stand, if an earlier run has put some of it aside.
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

    /// A lane has nothing left to do with a batch.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; what the sink throws.
    func done(_ batch: ReplayBatch) async throws {
        state.lanes[batch.lane].events = batch.first + batch.count
        state.lanes[batch.lane].checksum = batch.checksum
        state.lanes[batch.lane].stamp = nil
        state.lanes[batch.lane].letters = nil
        letters[batch.lane] = nil
        isWritten = false
        if lastWrite.map({ clock.now - $0 >= Self.interval }) ?? true { try await write() }
    }

    /// Gives the time of its sending to the batch that a lane sends next. A batch that was cut short in an earlier run
    /// keeps the time that it had.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; what the sink throws.
    func stamp(lane: Int, now: EventTime) async throws -> EventTime {
        if let stamp = state.lanes[lane].stamp { return stamp }
        state.lanes[lane].stamp = now
        isWritten = false
        try await write()
        return now
    }

    /// Puts aside what was refused of the batch that a lane has under way. That it does is written down before, so that a
    /// later run puts aside only what is not there.
    ///
    /// - Throws: As ``DeadLetterFile/end()``; what the sink throws.
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

    /// Writes down what is not yet.
    ///
    /// - Throws: `LogFileError`, `cannotWrite`; what the sink throws.
    func write() async throws {
        guard let file else { return }
        let position = try await sink.checkpoint()
        guard !isWritten else { return }
        // Nothing is awaited from here on, so that no older state is written after a newer one.
        state.position = position
        try file.write(state)
        isWritten = true
        lastWrite = clock.now
    }
}
