internal import LogReplay

/// Replayed events as JSON lines on standard output.
actor StandardOutputTarget: ReplaySink {
    private let output = BufferedOutput.standardOutput()
    private let isPrompt: Bool

    /// - Parameter isPrompt: Whether each batch is handed over as it comes.
    init(isPrompt: Bool) { self.isPrompt = isPrompt }

    func deliver(_ batch: ReplayBatch) throws -> SinkAnswer { try output.deliver(batch, isPrompt: isPrompt) }

    func checkpoint() throws -> Int64 {
        try output.flush()
        return 0
    }

    func finish() throws { try output.flush() }

    func abandon(isResumable: Bool) {
        try? output.flush()  // lost: what nobody takes any more
    }
}
