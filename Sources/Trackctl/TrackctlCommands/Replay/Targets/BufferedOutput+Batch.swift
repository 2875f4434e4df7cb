internal import EventLog
internal import EventModel
internal import LogReplay

extension BufferedOutput {
    /// Takes the lines of a batch.
    ///
    /// - Parameter isPrompt: Whether they are handed over at once.
    /// - Throws: ``CommandFailure``, `inputOutput`.
    func deliver(_ batch: ReplayBatch, isPrompt: Bool) throws -> SinkAnswer {
        for index in 0..<batch.count { try write(line: batch.line(index)) }
        if isPrompt { try flush() }
        return .delivered(ReplayResult(kept: batch.count))
    }
}
