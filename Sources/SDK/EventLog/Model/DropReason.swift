public import EventModel

/// The reason why an event is not in the log, or did not reach a consumer. The ledger counts events by reason.
public enum DropReason: String, CaseIterable, Sendable {
    /// The event could not be encoded: it contains NaN, is nested too deeply, is not a JSON object, or its
    /// `encode(to:)` threw an error.
    case encoding = "encoding"
    /// Its line is longer than 32 KiB.
    case tooLarge = "too-large"
    /// Its name, schema version or purpose is not valid, or the process has sent events of 15 other purposes.
    case invalidName = "invalid-name"
    /// The user opted out.
    case optedOut = "opted-out"
    /// The app sends more events per second than the guard against endless loops allows.
    case runaway = "runaway"
    /// The database can't be written, or is slower than the senders, and the journal has reached its size limit or
    /// filled the disk.
    case backlogFull = "backlog-full"
    /// The log was closed.
    case closed = "closed"
    /// The log was not open yet, or could not be opened, and the events that were waiting for it had filled their memory.
    case notOpen = "not-open"
    /// The log exceeded its maximum size, and removed the event before every consumer had received it.
    case evicted = "evicted"
    /// Its id was already in the log.
    case repeatedID = "repeated-id"
    /// A sink permanently refused it.
    case refused = "refused"
    /// The sending process was killed or crashed while drawing the event's number, or the number was not used. In the
    /// second case the reason, such as the event's size, is counted separately.
    case interrupted = "interrupted"
    /// It was in a part of a file that a power failure, a disk error or another program damaged.
    case damaged = "damaged"
    /// It was erased at the user's request: `Tracker.erase(user:)` or `trackctl prune --user`.
    case erased = "erased"
    /// No environment has used its consumer on 30 days of the log's use.
    case retired = "retired"
    /// The event was copied to a new install for one consumer, because the server already had its number with other
    /// bytes. For that consumer, the original number counts as forked; for all other consumers, the copy's number does.
    case forked = "forked"
    /// The plan has no schema for it, and the app is configured to reject such events.
    case unplanned = "unplanned"
    /// It waited for the answer of an anonymous person who was signed out: no person can give the answer. Or nothing is stored
    /// before the answer, see ``ConsentPolicy/Waiting``, and it was only counted, found no room, or the process closed the log.
    case unanswered = "unanswered"
    /// Remote switches turned it off.
    case switchedOff = "switched-off"
    /// It violates a limit of its schema, such as a maximum.
    case outOfLimits = "out-of-limits"
}

/// A row of the ledger: how many events were lost, and why.
public struct LedgerEntry: Hashable, Sendable {
    /// Why they were lost.
    public let reason: DropReason
    /// The consumer that did not receive them; nil if no consumer can receive them.
    public let consumer: String?
    /// The number of events.
    public let count: Int64
    /// The lowest and highest sequence number among them; nil if they never had a number.
    public let seqs: ClosedRange<Int64>?

    /// When the first and the last event without a number were dropped; nil if unknown.
    public let times: ClosedRange<EventTime>?

    /// Makes a row.
    public init(
        reason: DropReason, consumer: String?, count: Int64, seqs: ClosedRange<Int64>?,
        times: ClosedRange<EventTime>? = nil
    ) {
        self.times = times
        self.reason = reason
        self.consumer = consumer
        self.count = count
        self.seqs = seqs
    }
}

/// The error for an event that a log rejected.
public struct EventDropped: Error, Hashable, Sendable {
    /// The reason; nil if the caller's closure returned nil.
    public let reason: DropReason?

    /// Makes an error.
    public init(_ reason: DropReason?) { self.reason = reason }
}
