/// How far a consumer has read the log.
public struct ConsumerCursor: Hashable, Sendable {
    /// The consumer's name.
    public let consumer: String
    /// Everything up to this sequence number was delivered; 0 before the first delivery.
    public var acknowledged: Int64
    /// What the consumer stored with its last acknowledgement, in the same transaction: a file sink's name and
    /// length, for instance.
    public var checkpoint: String?

    /// Makes a cursor.
    public init(consumer: String, acknowledged: Int64 = 0, checkpoint: String? = nil) {
        self.consumer = consumer
        self.acknowledged = acknowledged
        self.checkpoint = checkpoint
    }
}
