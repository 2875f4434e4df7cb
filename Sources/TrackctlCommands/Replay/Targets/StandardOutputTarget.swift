internal import LogReplay

/// Replayed events as JSON lines on standard output.
actor StandardOutputTarget: ReplaySink {
    private let output = BufferedOutput.standardOutput()
    private let isPrompt: Bool

    /// - Parameter isPrompt: Whether each batch is handed over as it comes.
    init(isPrompt: Bool) { self.isPrompt = isPrompt }

    func deliver(_ batch: ReplayBatch) throws -> SinkAnswer {
        for index in 0..<batch.count { try output.write(line: batch.line(index)) }
        if isPrompt { try output.flush() }
        return .delivered(.init(kept: batch.count))
    }

    func checkpoint() throws -> Int64 {
        try output.flush()
        return 0
    }

    func finish() throws { try output.flush() }

    func abandon(isResumable: Bool) {
        try? output.flush()  // lost: what nobody takes any more
    }
}
