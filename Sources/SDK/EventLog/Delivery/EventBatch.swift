public import EventModel
internal import Primitives

/// Events of the log for one consumer, sealed: stored with its id before the first delivery, and the same bytes under the
/// same id at every retry, after a restart, too.
public struct EventBatch: Sendable {
    /// At most this many events.
    public static let maximumCount = 2_500
    /// At most this many bytes of lines with their line feeds.
    public static let maximumBytes = 500_000

    /// The batch's id, 32 hexadecimal digits. Never used again for other events.
    public let id: String
    /// The numbers that the batch accounts for: those of its events and those in ``missing``.
    public let seqs: ClosedRange<Int64>
    /// The events, oldest first, at least one.
    public let records: [EventRecord]
    /// Numbers in ``seqs`` that it has no event for, in order, with the reason.
    public let missing: [MissingNumbers]
    /// The sum modulo 2^64 of the first 8 bytes, little-endian, of the SHA-256 of each line without its line feed.
    public let checksum: UInt64
    /// Which delivery of the batch this is, from 1.
    public let attempt: Int
    /// What the consumer stored with its last delivery; nil before the first.
    public let checkpoint: String?
    /// Under which lease it is delivered; nil for a batch that no log has sealed.
    public let token: LeaseToken?
    /// The install whose numbers these are: `install_id` in each line. Empty for a batch that no log has sealed.
    public let installID: String
    /// What proves to a server that a batch is this install's: 128 random bits as 32 hexadecimal digits in lower case, drawn
    /// with ``installID``. Send it over TLS only, and never write it to a log; empty for a batch that no log has sealed.
    public let secret: String
    /// Rows of the log's ledger that concern this consumer and ``installID``, and have changed since the last batch that was
    /// delivered; at most ``maximumLedgerRows``, the rest comes with later batches. May differ between attempts. Rows are told
    /// apart by reason and first number, and a later one takes the place of the one before.
    public let ledger: [LedgerEntry]
    /// At most this many rows in ``ledger``.
    public static let maximumLedgerRows = 500
    /// Which install of the log it is, from 1: see <doc:Generations>.
    public let generation: Int
    /// What the numbers of ``generation`` are counted from: `base + seq` rises for the life of the log, whatever its installs.
    public let base: Int64
    /// Whether the log has taken ``installID`` over from recorded events: another log may deliver under it. A sink for a server
    /// answers ``DeliveryResult/newGeneration(acknowledged:reason:)`` without sending such a batch.
    public let isAdopted: Bool

    /// Makes a batch of a sealed one's parts.
    init(
        _ sealed: SealedBatch, records: [EventRecord], checkpoint: String?, token: LeaseToken?, of log: LogGeneration,
        ledger: [LedgerEntry]
    ) {
        (installID, secret, generation, base) = (log.installID, log.secret, log.number, log.base)
        isAdopted = log.isAdopted
        self.ledger = ledger
        id = sealed.id
        let base = log.base
        seqs = sealed.first - base...sealed.last - base
        if base == 0 {
            (self.records, missing) = (records, sealed.missing)
        } else {
            self.records = records.map { $0.renumbered($0.seq - base) }
            missing = sealed.missing.map { MissingNumbers($0.first - base...max($0.first, $0.last) - base, $0.reason) }
        }
        checksum = sealed.checksum
        attempt = sealed.attempts
        self.checkpoint = checkpoint
        self.token = token
    }

    /// Makes a batch that is not stored anywhere, for a sink's own tests and for sinks that pass a part on.
    ///
    /// - Parameters:
    ///   - records: At least one, with rising numbers.
    ///   - installID: The lines' `install_id`.
    ///   - secret: The install's, 32 hexadecimal digits.
    public init(
        records: [EventRecord], checkpoint: String?, token: LeaseToken? = nil, installID: String = "",
        secret: String = "", ledger: [LedgerEntry] = []
    ) {
        precondition(!records.isEmpty, "a batch has at least one event")
        id = SealedBatch.newID()
        seqs = records[0].seq...records[records.count - 1].seq
        self.records = records
        let between = zip(records, records.dropFirst()).filter { $0.seq + 1 < $1.seq }
        missing = between.map { MissingNumbers($0.seq + 1...$1.seq - 1, .dropped) }
        checksum = SealedBatch.checksum(of: records)
        attempt = 1
        self.checkpoint = checkpoint
        self.token = token
        (self.installID, self.secret, self.ledger) = (installID, secret, ledger)
        (generation, base, isAdopted) = (1, 0, false)
    }
}

extension EventBatch: CustomReflectable, CustomStringConvertible {
    /// The id and the numbers.
    public var description: String { "batch \(id), numbers \(seqs.lowerBound) to \(seqs.upperBound)" }

    /// Without ``secret``, so that none is written to a log by mistake.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "installID": installID, "seqs": seqs, "records": records, "missing": missing,
                "attempt": attempt, "ledger": ledger,
            ] as KeyValuePairs<String, Any>)
    }
}

/// Numbers that a batch has no events for.
public struct MissingNumbers: Codable, Hashable, Sendable {
    /// Why there is no event. In this order, if several are true; *held* and *retried* come last.
    public enum Reason: String, Codable, Sendable {
        /// The event was removed for its user: an opt-out, or an erasure.
        case erased
        /// The consumer has refused the event for good.
        case refused
        /// The event was lost on purpose or by a fault, and is in the ledger.
        case dropped
        /// The event was in an earlier batch.
        case deliveredEarlier = "delivered-earlier"
        /// The event has other numbers in a later generation of the log, or belongs to another consumer's: see
        /// <doc:Generations>.
        case forked
        /// The event waits for its user's consent, or to be tried again, and may come in a later batch.
        case held
    }

    /// The first of them.
    public let first: Int64
    /// The last of them.
    public let last: Int64
    /// Why.
    public let reason: Reason

    init(_ seqs: ClosedRange<Int64>, _ reason: Reason) {
        (first, last, self.reason) = (seqs.lowerBound, seqs.upperBound, reason)
    }

    var seqs: ClosedRange<Int64> { first...max(first, last) }
}

/// A batch as the database keeps it: what is needed to read the same events again.
struct SealedBatch: Codable, Equatable {
    var id: String
    var first: Int64
    var last: Int64
    var missing: [MissingNumbers]
    var count: Int
    var checksum: UInt64
    var attempts = 0
    /// The change of the ledger up to which the last attempt had its rows.
    var ledgerThrough: Int64?
    /// Whether its events are older than the cursor: they were held, or are tried again.
    var isLate: Bool

    static func newID() -> String {
        var generator = SystemRandomNumberGenerator()
        let digits = (0..<2).map { _ in
            let digits = String(generator.next() as UInt64, radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }
        return digits.joined()
    }

    static func checksum(of records: [EventRecord]) -> UInt64 {
        records.reduce(0) { sum, record in
            let digest = record.line.withUnsafeBufferPointer { SHA256.digest($0) }
            return sum &+ (UInt64(digest[0].byteSwapped) | UInt64(digest[1].byteSwapped) << 32)
        }
    }
}
