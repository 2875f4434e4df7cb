public import EventModel

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
