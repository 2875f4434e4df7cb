public import EventModel

/// What became of a batch.
public enum DeliveryResult: Sendable {
    /// Delivered up to this number; what follows comes in a batch of its own. The checkpoint is stored with the cursor.
    case delivered(through: Int64, checkpoint: String?)
    /// Each event was judged by itself. What is not named was delivered; names of events that are not in the batch are
    /// ignored. The checkpoint is stored with the cursor.
    case judged([Int64: EventVerdict], checkpoint: String?)
    /// Not now. A duration is the server's word, which nothing undercuts; without one, the wait grows with each failure,
    /// up to 15 minutes.
    case retry(after: Duration?, reason: String)
    /// Never, and it cannot be said for which event. A batch of several is halved until the event at fault is alone; that
    /// one is skipped and counted.
    case rejected(reason: String)
    /// The batch is dead, and no event is at fault: its id was used for another body, for instance. Its events are sealed
    /// again under another id.
    case void(reason: String)
    /// The server holds some of the batch's numbers with other bytes, or knows the install under another secret: this device
    /// was restored from a copy, or cloned. The log goes on as a new install, see <doc:Generations>.
    ///
    /// - Parameter acknowledged: The batch's numbers that the server holds with the same bytes: they count as delivered.
    ///   Numbers that are not in the batch are ignored.
    case newGeneration(acknowledged: [ClosedRange<Int64>], reason: String)
    /// Not before somebody has changed something: the credentials are wrong, for instance. Everything is kept, and nothing
    /// is tried until a flush by hand or the next start.
    case halt(reason: String)
}

/// What became of one event of a batch, if it was not delivered.
public enum EventVerdict: Hashable, Sendable {
    /// Never. It is counted as ``DropReason/refused``.
    ///
    /// - Parameter location: Where in the event the fault is, as a JSON pointer; nil if that is not known.
    case refused(reason: String, location: String? = nil)
    /// Not now: it comes again in another batch.
    case retry(reason: String)
}

/// When a consumer is tried again.
public struct DeliveryPause: Codable, Hashable, Sendable {
    /// When it was set, in microseconds since 1970.
    public let setAt: Int64
    /// How long it is, in microseconds.
    public let length: Int64
    /// Whether the server has asked for it.
    public let isServers: Bool

    /// Makes a pause.
    public init(setAt: EventTime, length: Duration, isServers: Bool) {
        self.setAt = setAt.microseconds
        self.isServers = isServers
        let (seconds, attoseconds) = length.components
        // A server that says "never" is asked again in a year.
        self.length = max(0, min(seconds, 31_536_000) * 1_000_000 + attoseconds / 1_000_000_000_000)
    }

    /// How long it still is. Whole, if the clock reads earlier than when it was set: it was set back since.
    public func rest(at now: EventTime) -> Duration {
        let elapsed = now.microseconds - setAt
        return .microseconds(elapsed < 0 ? length : max(0, length - elapsed))
    }
}

/// A consumer in the hands of one deliverer. Another one can take it over when the lease has ended; what comes under an
/// older token changes nothing then.
public struct DeliveryLease: Equatable, Sendable {
    /// The consumer's name.
    public let consumer: String
    /// Rises with each lease.
    public let token: Int64
    /// How far the consumer is.
    public let cursor: ConsumerCursor
    /// When it may be tried again; nil at once.
    public let pause: DeliveryPause?
    /// Failures since the last success.
    public let failures: Int
    /// Why nothing is delivered until somebody changes something; nil if that is not so.
    public let halt: String?
}

/// What a settled batch has come to.
public struct SettledBatch: Equatable, Sendable {
    /// How far the consumer is now.
    public let cursor: ConsumerCursor
    /// Failures since the last success.
    public let failures: Int
    /// The events that were refused for good.
    public let refused: [Int64]
}
