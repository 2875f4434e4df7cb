public import EventModel

/// The outcome of delivering a batch.
public enum DeliveryResult: Sendable {
    /// All events up to this number were delivered. Later events of the batch are sealed in a new batch. The checkpoint
    /// is stored with the cursor.
    case delivered(through: Int64, checkpoint: String?)
    /// A verdict for each event that was not delivered; all other events of the batch were delivered. Numbers outside
    /// the batch are ignored. The checkpoint is stored with the cursor.
    case judged([Int64: EventVerdict], checkpoint: String?)
    /// The delivery failed temporarily. Pass the server's pause as the duration: it is never shortened. Without a
    /// duration, the pause grows with each failure, up to 15 minutes.
    case retry(after: Duration?, reason: String)
    /// The batch was permanently rejected, without naming the invalid event. The log halves the batch until the invalid
    /// event is alone, then skips and counts that event.
    case rejected(reason: String)
    /// The batch is unusable, but its events are valid; for example, its id was used for another body. The events are
    /// sealed again under another id.
    case void(reason: String)
    /// The server has other bytes under some of the batch's numbers, or another secret for the install: this device was
    /// restored from a backup, or cloned. The log continues as a new install, see <doc:Generations>.
    ///
    /// - Parameter acknowledged: The batch's numbers that the server holds with the same bytes; they count as
    ///   delivered. Numbers outside the batch are ignored.
    case newGeneration(acknowledged: [ClosedRange<Int64>], reason: String)
    /// Delivery cannot succeed until a person acts; for example, the credentials are wrong. All events are kept, and
    /// delivery stops until you call `flush()` or start the app again.
    case halt(reason: String)
}

/// The verdict on an event that was not delivered.
public enum EventVerdict: Hashable, Sendable {
    /// The event was permanently refused. Counted as ``DropReason/refused``.
    ///
    /// - Parameter location: The location of the error in the event, as a JSON pointer; nil if unknown.
    case refused(reason: String, location: String? = nil)
    /// The event could not be delivered now. It is retried in another batch.
    case retry(reason: String)
}

/// A pause before a consumer is tried again.
public struct DeliveryPause: Codable, Hashable, Sendable {
    /// When the pause was set, in microseconds since 1970.
    public let setAt: Int64
    /// The length of the pause in microseconds.
    public let length: Int64
    /// Whether the server requested the pause.
    public let isServers: Bool

    /// Makes a pause.
    public init(setAt: EventTime, length: Duration, isServers: Bool) {
        self.setAt = setAt.microseconds
        self.isServers = isServers
        let (seconds, attoseconds) = length.components
        // Limits a server's pause to one year.
        self.length = max(0, min(seconds, 31_536_000) * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// The remaining time. Returns the whole length if `now` is earlier than ``setAt``: the clock was set back since
    /// then.
    public func rest(at now: EventTime) -> Duration {
        let elapsed = now.microseconds - setAt
        return .microseconds(elapsed < 0 ? length : max(0, length - elapsed))
    }
}

/// A lease of a consumer to one deliverer. When the lease has ended, another deliverer can take over; results under the
/// older token are then ignored.
public struct DeliveryLease: Equatable, Sendable {
    /// The consumer's name.
    public let consumer: String
    /// The token's number, which rises with each lease.
    public let token: Int64
    /// The token's series: see ``LeaseToken``.
    public let series: String
    /// The consumer's cursor.
    public let cursor: ConsumerCursor
    /// The current pause; nil if delivery can start immediately.
    public let pause: DeliveryPause?
    /// Failures since the last success.
    public let failures: Int
    /// Why delivery has stopped until a person acts; nil if it has not stopped.
    public let halt: String?
}

/// The state of a consumer after a batch was settled.
public struct SettledBatch: Equatable, Sendable {
    /// The consumer's cursor.
    public let cursor: ConsumerCursor
    /// Failures since the last success.
    public let failures: Int
    /// The numbers of the events that were permanently refused.
    public let refused: [Int64]
}
