/// One event of the log: what the table `events` holds of it.
public struct EventRecord: Hashable, Sendable {
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
