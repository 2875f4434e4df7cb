public import EventModel

/// An event that a consumer has refused for good, kept with its exact line so that it can be looked at, and sent again.
public struct DeadLetter: Hashable, Sendable {
    /// Its number among the dead letters of the log.
    public let number: Int64
    /// The consumer that has refused it.
    public let consumer: String
    /// The install in its line.
    public let installID: String
    /// The number in its line.
    public let seq: Int64
    /// When it was refused, by the app's clock; when it was sent, for a deliverer that has no clock.
    public let time: EventTime
    /// How many deliveries the batch had.
    public let attempts: Int
    /// What the consumer has said.
    public let reason: String
    /// Where in the event the fault is, as a JSON pointer; nil if that is not known.
    public let location: String?
    /// The exact bytes of its line, without the line feed.
    public let line: [UInt8]

    /// Makes a dead letter of its parts.
    public init(
        number: Int64, consumer: String, installID: String, seq: Int64, time: EventTime, attempts: Int, reason: String,
        location: String?, line: [UInt8]
    ) {
        self.number = number
        self.consumer = consumer
        self.installID = installID
        self.seq = seq
        self.time = time
        self.attempts = attempts
        self.reason = reason
        self.location = location
        self.line = line
    }
}

/// How many dead letters a log keeps. Past either limit the oldest go, and are counted: `trackctl doctor` shows how many.
public struct DeadLetterLimits: Hashable, Sendable {
    /// At most so many; 0 keeps none.
    public var maximumCount: Int64
    /// At most so many bytes of lines.
    public var maximumBytes: Int64

    /// Makes limits.
    public init(maximumCount: Int64, maximumBytes: Int64) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// 1,000 dead letters and 4 MiB.
    public static let standard = DeadLetterLimits(maximumCount: 1_000, maximumBytes: 4 << 20)
}
