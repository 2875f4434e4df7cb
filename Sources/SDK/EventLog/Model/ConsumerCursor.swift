/// How far a consumer has read the log.
public struct ConsumerCursor: Hashable, Sendable {
    /// The consumer's name.
    public let consumer: String
    /// All events up to this sequence number were delivered; 0 before the first delivery.
    public var acknowledged: Int64
    /// The text that the consumer stored with its last acknowledgement, in the same transaction. A file sink, for
    /// example, stores its open file's name and length.
    public var checkpoint: String?

    /// Makes a cursor.
    public init(consumer: String, acknowledged: Int64 = 0, checkpoint: String? = nil) {
        self.consumer = consumer
        self.acknowledged = acknowledged
        self.checkpoint = checkpoint
    }
}

/// A consumer's progress at one moment. All numbers are log numbers.
package struct ConsumerAccount: Hashable, Sendable {
    /// The registered consumers of the log.
    package let consumers: [String]
    package let isRegistered: Bool
    /// The highest number that a batch has accounted for.
    package let covered: Int64
    /// The numbers that the consumer has not received. The last range is open-ended. All numbers if the consumer is not
    /// registered.
    package let undelivered: [ClosedRange<Int64>]
    /// The part of ``undelivered`` that waits for its user's consent.
    package let held: [ClosedRange<Int64>]
    /// The highest number whose event is in the database, or whose loss is in the ledger.
    package let settled: Int64
    /// The highest drawn number that the database and the journals show.
    package let highest: Int64
    /// Every install of the log, oldest first.
    package let generations: [LogGeneration]
}
