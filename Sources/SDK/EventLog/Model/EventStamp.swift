public import EventModel

/// What a log keeps of an event beside its line.
public struct EventStamp: Hashable, Sendable {
    /// The identity, minted once.
    public let id: EventID
    /// When it was sent by the app.
    public let time: EventTime
    /// The event's name, at most ``maximumNameLength`` bytes.
    public let name: String
    /// How many bytes of line were written.
    public let lineLength: Int

    /// The longest name that a log keeps, in bytes of UTF-8.
    public static let maximumNameLength = 255

    /// Makes a stamp.
    public init(id: EventID, time: EventTime, name: String, lineLength: Int) {
        self.id = id
        self.time = time
        self.name = name
        self.lineLength = lineLength
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
