public import EventModel
internal import Foundation

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
    /// The link was too slow for the batch. The events are sealed again in a batch with at most half of the bytes that
    /// arrived, at least one event; the size grows again after two successes. The pause is that of ``retry(after:reason:)``
    /// without a duration.
    ///
    /// - Parameter share: The share of the batch that arrived, 0 to 1; nil if the sink does not know it: all of it.
    case timedOut(share: Double?, reason: String)
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
    /// Delivery cannot succeed until a person acts; for example, the credentials are wrong. All events are kept. A single
    /// event is tried after an hour, then after six, then daily, each time up to a fifth earlier or later. A start or
    /// `flush()` tries earlier, but not within an hour; a sink with another target tries immediately.
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

/// A pause before a consumer is tried again. Measured by the boot clock, so setting the wall clock does not change it;
/// after a restart of the system by the wall clock, at most its length.
public struct DeliveryPause: Codable, Hashable, Sendable {
    /// When the pause was last stored, in microseconds since 1970.
    public let setAt: Int64
    /// The same moment by the boot clock.
    public let bootTime: BootTime
    /// The length of the pause in microseconds.
    public let length: Int64
    /// How much of it was over by then, in microseconds.
    public let waited: Int64
    /// Whether the server requested the pause.
    public let isServers: Bool
    /// The target of the sink that the pause is for, `Sink.target`. Another one does not wait.
    public let target: String

    /// Makes a pause that begins now.
    public init(setAt now: ClockReading, length: Duration, isServers: Bool, target: String = "") {
        let (seconds, attoseconds) = length.components
        // Limits a server's pause to one year.
        let limited = max(0, min(seconds, 31_536_000) * 1_000_000 + attoseconds / 1_000_000_000_000)
        self.init(at: now, length: limited, waited: 0, isServers: isServers, target: target)
    }

    /// Reads a stored pause, also one of an earlier version, which was measured by the wall clock only.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        setAt = try values.decode(Int64.self, forKey: .setAt)
        length = try values.decode(Int64.self, forKey: .length)
        isServers = try values.decode(Bool.self, forKey: .isServers)
        bootTime =
            try values.decodeIfPresent(BootTime.self, forKey: .bootTime) ?? BootTime(boot: "", microseconds: 0)
        waited = try values.decodeIfPresent(Int64.self, forKey: .waited) ?? 0
        target = try values.decodeIfPresent(String.self, forKey: .target) ?? ""
    }

    private init(at now: ClockReading, length: Int64, waited: Int64, isServers: Bool, target: String) {
        setAt = now.time.microseconds
        bootTime = now.sinceBoot
        self.length = length
        self.waited = waited
        self.isServers = isServers
        self.target = target
    }

    /// The time since the pause began.
    public func elapsed(at now: ClockReading) -> Duration {
        let stored = ClockReading(time: EventTime(microseconds: setAt), sinceBoot: bootTime)
        return .microseconds(waited) + now.elapsed(since: stored)
    }

    /// The remaining time.
    public func rest(at now: ClockReading) -> Duration { max(.zero, .microseconds(length) - elapsed(at: now)) }

    /// The same pause, to be stored again, if it was stored before the system's last start, or `age` ago. Without it, a
    /// device whose wall clock restarts with each boot would begin the pause again and again.
    package func renewed(at now: ClockReading, ifOlderThan age: Duration) -> DeliveryPause? {
        if let stored = now.sinceBoot.duration(since: bootTime), stored < age { return nil }
        let (seconds, attoseconds) = min(elapsed(at: now), .microseconds(length)).components
        return DeliveryPause(
            at: now, length: length, waited: seconds * 1_000_000 + attoseconds / 1_000_000_000_000,
            isServers: isServers, target: target)
    }
}

extension DeliveryPause {
    /// Reads ``text``; nil for another text.
    package init?(text: String) {
        do { self = try JSONDecoder().decode(Self.self, from: Data(text.utf8)) } catch { return nil }
    }

    /// The pause as JSON.
    package var text: String? {
        do { return String(decoding: try JSONEncoder().encode(self), as: UTF8.self) } catch { return nil }
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
    /// How many tries in a row have ended with a halt.
    public let halts: Int
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
