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
