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

/// An event where its bytes lie: good until the closure that it is given to returns.
public struct BorrowedEvent {
    /// The sequence number.
    public let seq: Int64
    /// When it was sent by the app.
    public let time: EventTime
    /// The bytes of its name.
    public let name: UnsafeRawBufferPointer
    /// The bytes of its line, without the line feed.
    public let line: UnsafeRawBufferPointer

    /// Makes an event of its parts.
    @inlinable
    package init(seq: Int64, time: EventTime, name: UnsafeRawBufferPointer, line: UnsafeRawBufferPointer) {
        (self.seq, self.time, self.name, self.line) = (seq, time, name, line)
    }
}

extension EventRecord {
    /// Lends the record's bytes.
    package func borrowed<Result>(_ body: (BorrowedEvent) throws -> Result) rethrows -> Result {
        var name = self.name
        return try name.withUTF8 { name in
            try line.withUnsafeBytes { line in
                try body(BorrowedEvent(seq: seq, time: time, name: UnsafeRawBufferPointer(name), line: line))
            }
        }
    }
}

/// An event of another log, or of an earlier life of this one, on its way in.
public struct RecordedEvent: Sendable {
    /// What its line says; `record.seq` is the number it had.
    public let record: EventRecord
    /// The install that sent it.
    public let installID: String
    /// Writes its line for another log, under that log's install and number, with its origin recorded.
    public let relabelled: @Sendable (_ installID: String, _ seq: Int64) -> [UInt8]

    /// Makes a recorded event.
    public init(
        record: EventRecord, installID: String,
        relabelled: @escaping @Sendable (_ installID: String, _ seq: Int64) -> [UInt8]
    ) {
        self.record = record
        self.installID = installID
        self.relabelled = relabelled
    }
}
