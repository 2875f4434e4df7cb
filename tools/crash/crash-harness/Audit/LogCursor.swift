import EventLog
import EventModel

/// Iterates over a log's events, with a single batch in memory.
struct LogCursor {
    private let reader: EventLogReader
    private var batch: ArraySlice<EventRecord> = []
    private var last: Int64

    init(_ reader: EventLogReader, after seq: Int64 = 0) {
        self.reader = reader
        last = seq
    }

    /// The next event; nil at the end.
    mutating func next() throws -> EventRecord? {
        if batch.isEmpty { batch = try reader.read(after: last)[...] }
        guard let record = batch.popFirst() else { return nil }
        last = record.seq
        return record
    }
}
