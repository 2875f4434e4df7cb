internal import EventLog

/// Gathers the rows of a database into chunks.
struct RowChunker {
    private let input: Int
    private var pending: LineChunk

    init(input: Int) {
        self.input = input
        pending = LineChunk(input: input)
    }

    /// Takes the next row, and hands on the chunk that it completes.
    mutating func feed(_ event: BorrowedEvent, _ chunk: (LineChunk) -> Void) {
        pending.bytes.append(contentsOf: event.line.prefix(TextChunker.longest))
        pending.rows.append(LineChunk.Row(end: pending.bytes.count, seq: event.seq))
        if pending.bytes.count >= TextChunker.chunkSize { finish(chunk) }
    }

    /// Hands on what is left.
    mutating func finish(_ chunk: (LineChunk) -> Void) {
        guard !pending.rows.isEmpty else { return }
        let full = pending
        pending = LineChunk(input: input)
        chunk(full)
    }
}
