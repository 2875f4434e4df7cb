internal import EventLog
internal import EventModel
internal import EventQuery

/// Reads a database as chunks of rows, in flat memory, beside whoever writes it.
struct RowChunker {
    private let reader: EventLogReader
    private let input: Int
    private let selection: EventSelection
    private let longest: Int
    /// The number of the last row that was seen.
    private(set) var lastSeq: Int64
    private var isAtEnd = false

    /// - Parameters:
    ///   - seq: The last one already seen; 0 from the start.
    ///   - selection: What its columns can tell is left out here already.
    ///   - longest: How much of a longer line is kept, in bytes.
    init(_ reader: EventLogReader, input: Int, after seq: Int64, selection: EventSelection, longest: Int) {
        self.reader = reader
        self.input = input
        self.selection = selection
        self.longest = longest
        lastSeq = seq
    }

    /// The next chunk; nil at the end.
    ///
    /// - Throws: `EventLogError`.
    mutating func next() throws -> LineChunk? {
        guard !isAtEnd else { return nil }
        var chunk = LineChunk(input: input, isDatabase: true)
        chunk.bytes.reserveCapacity(TextChunker.chunkSize + EventRecord.maximumLineLength)
        var rows: [LineChunk.Row] = []
        var isFull = false
        let needsStamps = !(selection.names.isEmpty && selection.since == nil && selection.until == nil)
        try reader.forEach(after: lastSeq, matching: selection.rows, withStamps: needsStamps) { event in
            lastSeq = event.seq
            // What still lies in a journal has not been filtered by columns.
            if needsStamps && !selection.takes(event) { return true }
            let start = chunk.bytes.count
            chunk.bytes.append(contentsOf: event.line.prefix(longest))
            rows.append(LineChunk.Row(start: start, end: chunk.bytes.count, number: event.seq))
            isFull = chunk.bytes.count >= TextChunker.chunkSize
            return !isFull
        }
        isAtEnd = !isFull
        chunk.rows = rows
        return rows.isEmpty ? nil : chunk
    }
}
