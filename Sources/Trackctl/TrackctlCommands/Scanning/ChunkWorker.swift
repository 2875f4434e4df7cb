/// Makes something of chunks, for one thread.
protocol ChunkWorker: AnyObject {
    associatedtype Output: Sendable

    /// What is to be said of a chunk by itself.
    func output(of chunk: LineChunk) -> Output
}

/// Gathers what workers made, in the order of the chunks, whoever made it. One thread at a time calls it.
protocol ChunkGatherer<Worker>: AnyObject {
    associatedtype Worker: ChunkWorker

    /// Takes the next output; answers false to see no more.
    ///
    /// - Parameter worker: Of the thread that calls, to be asked again if need be.
    func gather(_ output: Worker.Output, of chunk: LineChunk, by worker: Worker) -> Bool
}
