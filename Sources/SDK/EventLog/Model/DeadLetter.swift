public import EventModel

/// An event that a consumer has permanently refused, kept with its exact line so that you can inspect and resend it.
public struct DeadLetter: Hashable, Sendable {
    /// Its number among the dead letters of the log.
    public let number: Int64
    /// The consumer that refused it.
    public let consumer: String
    /// The `install_id` in its line.
    public let installID: String
    /// The `seq` in its line.
    public let seq: Int64
    /// When it was refused, by the app's clock; the time of the event if the deliverer has no clock.
    public let time: EventTime
    /// How often the batch was delivered.
    public let attempts: Int
    /// The reason that the consumer gave.
    public let reason: String
    /// The location of the error in the event, as a JSON pointer; nil if unknown.
    public let location: String?
    /// The exact bytes of its line, without the line feed.
    public let line: [UInt8]
    /// Why the event was collected. Not in the line.
    public let purpose: Purpose

    /// Makes a dead letter.
    public init(
        number: Int64, consumer: String, installID: String, seq: Int64, time: EventTime, attempts: Int, reason: String,
        location: String?, line: [UInt8], purpose: Purpose = .analytics
    ) {
        self.purpose = purpose
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

/// How many dead letters a log keeps. Past either limit, the oldest are removed and counted. `trackctl doctor` shows
/// the count.
public struct DeadLetterLimits: Hashable, Sendable {
    /// The maximum number of dead letters to keep; 0 keeps none.
    public var maximumCount: Int64
    /// The maximum bytes of lines to keep.
    public var maximumBytes: Int64

    /// Makes limits.
    public init(maximumCount: Int64, maximumBytes: Int64) {
        self.maximumCount = maximumCount
        self.maximumBytes = maximumBytes
    }

    /// 1,000 dead letters and 4 MiB.
    public static let standard = DeadLetterLimits(maximumCount: 1_000, maximumBytes: 4 << 20)
}
