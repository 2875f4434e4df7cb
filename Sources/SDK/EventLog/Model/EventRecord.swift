public import EventModel

/// One event of the log: what the table `events` holds of it.
public struct EventRecord: Hashable, Sendable {
    /// The longest line that a log takes, in bytes, line feed not counted: 32 KiB, the strictest common collector's
    /// limit.
    public static let maximumLineLength = 32 << 10

    /// The highest sequence number: JSON readers keep larger ones only roughly (RFC 7493). A larger one in a file is a
    /// fault of the file.
    public static let highestSeq: Int64 = (1 << 53) - 1

    /// The sequence number: 1 for the first event of the log, then +1 each.
    public let seq: Int64
    /// The identity, minted once.
    public let id: EventID
    /// When it was sent by the app.
    public let time: EventTime
    /// The event's name, such as `page-view`.
    public let name: String
    /// The exact bytes of its line, without the line feed.
    public let line: [UInt8]

    /// Makes a record.
    public init(seq: Int64, id: EventID, time: EventTime, name: String, line: [UInt8]) {
        self.seq = seq
        self.id = id
        self.time = time
        self.name = name
        self.line = line
    }
}

extension EventRecord {
    /// Makes a record of what an append's closure writes; nil if that gives nil.
    package init?(
        seq: Int64, lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) {
        var stamp: EventStamp?
        let line = [UInt8](unsafeUninitializedCapacity: lineCapacity) { buffer, count in
            stamp = fill(seq, UnsafeMutableRawBufferPointer(buffer))
            count = stamp?.lineLength ?? 0
        }
        guard let stamp else { return nil }
        self.init(seq: seq, id: stamp.id, time: stamp.time, name: stamp.name, line: line)
    }
}
