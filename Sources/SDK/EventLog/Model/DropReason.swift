public import EventModel

/// Why an event is not in the log or did not reach a consumer. Each is counted in the ledger.
public enum DropReason: String, CaseIterable, Sendable {
    /// It could not be encoded: NaN, nesting past the limit, a value that is no JSON object, or its own `encode(to:)` threw.
    case encoding = "encoding"
    /// Its line is over 32 KiB.
    case tooLarge = "too-large"
    /// Its name or schema version is not in the form that the wire format asks for.
    case invalidName = "invalid-name"
    /// The user has opted out.
    case optedOut = "opted-out"
    /// More events a second than the guard against a runaway sending loop lets through.
    case runaway = "runaway"
    /// The log cannot be written, or not fast enough, and its journal has reached its limit, or the disk's.
    case backlogFull = "backlog-full"
    /// The log was closed.
    case closed = "closed"
    /// The log was not open yet, and 1,000 events waited for it already; or it could not be opened.
    case notOpen = "not-open"
    /// The hard cap of the log's size removed it before every consumer had it.
    case evicted = "evicted"
    /// Its id was in the log already; ids must not repeat.
    case repeatedID = "repeated-id"
    /// A sink refused it for good.
    case refused = "refused"
    /// Its sender ended (a kill, a crash) inside the call that drew its number, or made no use of the number. What kept
    /// it from that, its size for instance, is counted beside.
    case interrupted = "interrupted"
    /// It was in a part of a file that a power failure, a fault of the disk or another program has damaged.
    case damaged = "damaged"
    /// Its user has asked for it to be erased: `trackctl prune --user`.
    case erased = "erased"
    /// No environment had named its consumer for 30 days.
    case retired = "retired"
    /// Its number went to a copy that only one consumer gets, or its consumer gets it as such a copy, under a new install: a
    /// server knew the former install's number with other bytes.
    case forked = "forked"
    /// The plan has no schema for it, and the app doesn't allow that.
    case unplanned = "unplanned"
}

/// One row of the ledger: how many events were lost on purpose, and why.
public struct LedgerEntry: Hashable, Sendable {
    /// Why they were lost.
    public let reason: DropReason
    /// The consumer that did not get them, or nil if they are in nobody's reach.
    public let consumer: String?
    /// How many.
    public let count: Int64
    /// The lowest and highest sequence number among them; nil if they never had one.
    public let seqs: ClosedRange<Int64>?

    /// When the first and the last of those without a number were dropped; nil if that is not known.
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
