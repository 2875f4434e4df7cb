/// An event of the log: a row of the table `events`.
public struct EventRecord: Hashable, Sendable {
    /// The maximum length of a line in bytes, without the line feed: 32 KiB, the strictest limit of common collectors.
    public static let maximumLineLength = 32 << 10

    /// The highest sequence number: JSON readers may round larger numbers (RFC 7493). A file with a larger number is
    /// damaged.
    public static let highestSeq: Int64 = (1 << 53) - 1

    /// The sequence number: 1 for the first event of the log, then increasing by 1.
    public let seq: Int64
    /// The event's id, which never changes.
    public let id: EventID
    /// The time at which the app sent the event.
    public let time: EventTime
    /// The event's name, such as `page-view`.
    public let name: String
    /// The exact bytes of the line, without the line feed.
    public let line: [UInt8]
    /// Why the event was collected. Not in the line.
    public let purpose: Purpose

    /// Makes a record.
    public init(
        seq: Int64, id: EventID, time: EventTime, name: String, line: [UInt8], purpose: Purpose = .analytics
    ) {
        self.purpose = purpose
        self.seq = seq
        self.id = id
        self.time = time
        self.name = name
        self.line = line
    }
}

/// An event in borrowed memory: valid until the closure that receives it returns.
public struct BorrowedEvent {
    /// The sequence number.
    public let seq: Int64
    /// The time at which the app sent the event.
    public let time: EventTime
    /// The bytes of its name.
    public let name: UnsafeRawBufferPointer
    /// The bytes of its line, without the line feed.
    public let line: UnsafeRawBufferPointer
    /// Why the event was collected. Not in the line.
    public let purpose: Purpose

    /// Makes an event from its parts.
    @inlinable
    package init(
        seq: Int64, time: EventTime, name: UnsafeRawBufferPointer, line: UnsafeRawBufferPointer, purpose: Purpose
    ) {
        self.purpose = purpose
        self.seq = seq
        self.time = time
        self.name = name
        self.line = line
    }
}

extension EventRecord {
    /// Borrows the record's bytes.
    package func borrowed<Result>(_ body: (BorrowedEvent) throws -> Result) rethrows -> Result {
        var name = self.name
        return try name.withUTF8 { name in
            try line.withUnsafeBytes { line in
                try body(
                    BorrowedEvent(
                        seq: seq, time: time, name: UnsafeRawBufferPointer(name), line: line, purpose: purpose))
            }
        }
    }
}

/// An event to import: from another log, or from an earlier state of this one.
public struct RecordedEvent: Sendable {
    /// The content of its line. `record.seq` is its previous number.
    public let record: EventRecord
    /// The install that sent it.
    public let installID: String
    /// Returns its line for another log, with that log's install and number, and with its origin recorded.
    public let relabelled: @Sendable (_ installID: String, _ seq: Int64) -> [UInt8]

    /// The same event with a purpose that its line does not state.
    package func collected(for purpose: Purpose) -> RecordedEvent {
        RecordedEvent(
            record: EventRecord(
                seq: record.seq, id: record.id, time: record.time, name: record.name, line: record.line,
                purpose: purpose), installID: installID, relabelled: relabelled)
    }

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

/// Preselects the rows of a log to save work. Rows that pass may still be unwanted.
package struct EventRowFilter: Sendable {
    /// Patterns of SQLite's `GLOB`. The name must match one of them; empty for any name.
    package var names: [String]
    /// The first time, inclusive.
    package var since: EventTime?
    /// The end time, exclusive.
    package var until: EventTime?

    /// Makes a filter.
    package init(names: [String] = [], since: EventTime? = nil, until: EventTime? = nil) {
        self.names = names
        self.since = since
        self.until = until
    }
}
