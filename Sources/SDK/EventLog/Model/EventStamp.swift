public import EventModel

/// The values that a log stores for an event in addition to its line.
public struct EventStamp: Hashable, Sendable {
    /// The event's id, generated once.
    public let id: EventID
    /// When the app sent the event.
    public let time: EventTime
    /// The event's name, at most ``maximumNameLength`` bytes.
    public let name: String
    /// The length of the line in bytes.
    public let lineLength: Int
    /// Why the event is collected.
    public let purpose: Purpose

    /// The longest name that a log stores, in bytes of UTF-8, with the purpose unless that is analytics.
    public static let maximumNameLength = 255

    /// Makes a stamp.
    public init(id: EventID, time: EventTime, name: String, lineLength: Int, purpose: Purpose = .analytics) {
        self.purpose = purpose
        self.id = id
        self.time = time
        self.name = name
        self.lineLength = lineLength
    }
}

extension EventRecord {
    /// Makes a record with the line and stamp that `fill` writes; nil if `fill` returns nil.
    package init?(
        seq: Int64, lineCapacity: Int, _ fill: (_ seq: Int64, _ line: UnsafeMutableRawBufferPointer) -> EventStamp?
    ) {
        var stamp: EventStamp?
        let line = [UInt8](unsafeUninitializedCapacity: lineCapacity) { buffer, count in
            stamp = fill(seq, UnsafeMutableRawBufferPointer(buffer))
            count = stamp?.lineLength ?? 0
        }
        guard let stamp else { return nil }
        self.init(seq: seq, id: stamp.id, time: stamp.time, name: stamp.name, line: line, purpose: stamp.purpose)
    }
}
