public import EventModel
internal import Primitives

/// A sealed batch of events for one consumer. The log stores the batch with its id before the first delivery. Every
/// retry has the same bytes under the same id, even after a restart.
public struct EventBatch: Sendable {
    /// The maximum number of events in a batch.
    public static let maximumCount = 2_500
    /// The maximum bytes of lines in a batch, including line feeds.
    public static let maximumBytes = 500_000

    /// The batch's id, 32 hexadecimal digits. Never reused for other events.
    public let id: String
    /// The numbers that the batch accounts for: those of its events and those in ``missing``.
    public let seqs: ClosedRange<Int64>
    /// The events, oldest first, at least one.
    public let records: [EventRecord]
    /// The numbers in ``seqs`` without an event in the batch, in order, with the reason.
    public let missing: [MissingNumbers]
    /// The sum modulo 2^64 of the first 8 bytes, little-endian, of the SHA-256 of each line without its line feed.
    public let checksum: UInt64
    /// The number of this delivery attempt, from 1.
    public let attempt: Int
    /// The checkpoint of the consumer's last delivery; nil before the first.
    public let checkpoint: String?
    /// The lease that the batch is delivered under; nil for a batch that was not sealed by a log.
    public let token: LeaseToken?
    /// The install that assigned the numbers: `install_id` in each line. Empty for a batch that was not sealed by a
    /// log.
    public let installID: String
    /// The secret that proves to a server that the batch is from this install: 128 random bits as 32 lowercase
    /// hexadecimal digits, generated with ``installID``. Send it over TLS only, and never write it to a log. Empty for
    /// a batch that was not sealed by a log.
    public let secret: String
    /// Ledger rows that concern this consumer and ``installID``, and that changed since the last delivered batch. At
    /// most ``maximumLedgerRows``; later batches carry the rest. Rows may differ between attempts. Reason and first
    /// number identify a row; a later row replaces an earlier one.
    public let ledger: [LedgerEntry]
    /// The maximum number of rows in ``ledger``.
    public static let maximumLedgerRows = 250
    /// The maximum number of ranges in ``missing`` of a batch that a log seals. With as many rows in ``ledger``, each as
    /// long as it can be, a request's header fits into 64 KiB.
    package static let maximumMissing = 400
    /// The number of the install in the log, from 1: see <doc:Generations>.
    public let generation: Int
    /// The offset of this install's numbers: `base + seq` rises for the life of the log, across installs.
    public let base: Int64
    /// Whether the log adopted ``installID`` from recorded events, so that another log may also deliver under it. A
    /// sink for a server answers ``DeliveryResult/newGeneration(acknowledged:reason:)`` without sending such a batch.
    public let isAdopted: Bool
    /// Consent and progress during the delivery. For a batch without a log, it always allows the delivery.
    package(set) public var watch = DeliveryWatch { true }

    /// Whether the people of its events agree to the delivery.
    func mayBeDelivered(by rules: ConsentRules) -> Bool {
        rules.isUnrestricted
            || records.allSatisfy { record in
                record.line.withUnsafeBytes { rules.rule(of: $0, for: record.purpose).mayDeliver }
            }
    }

    /// Makes a batch from a sealed batch and its records.
    init(
        _ sealed: SealedBatch, records: [EventRecord], checkpoint: String?, token: LeaseToken?, of log: LogGeneration,
        ledger: [LedgerEntry]
    ) {
        installID = log.installID
        secret = log.secret
        generation = log.number
        base = log.base
        isAdopted = log.isAdopted
        self.ledger = ledger
        id = sealed.id
        let base = log.base
        seqs = sealed.first - base...sealed.last - base
        if base == 0 {
            self.records = records
            missing = sealed.missing
        } else {
            self.records = records.map { $0.renumbered($0.seq - base) }
            missing = sealed.missing.map { MissingNumbers($0.first - base...max($0.first, $0.last) - base, $0.reason) }
        }
        checksum = sealed.checksum
        attempt = sealed.attempts
        self.checkpoint = checkpoint
        self.token = token
    }

    /// Makes a batch without a log, for tests of a sink, and for sinks that forward a part of a batch.
    ///
    /// - Parameters:
    ///   - records: At least one event, with rising numbers.
    ///   - installID: The `install_id` in the lines.
    ///   - secret: The install's secret, 32 hexadecimal digits.
    public init(
        records: [EventRecord], checkpoint: String?, token: LeaseToken? = nil, installID: String = "",
        secret: String = "", ledger: [LedgerEntry] = []
    ) {
        precondition(!records.isEmpty, "a batch must have at least one event")
        id = SealedBatch.newID()
        seqs = records[0].seq...records[records.count - 1].seq
        self.records = records
        let between = zip(records, records.dropFirst()).filter { $0.seq + 1 < $1.seq }
        missing = between.map { MissingNumbers($0.seq + 1...$1.seq - 1, .dropped) }
        checksum = SealedBatch.checksum(of: records)
        attempt = 1
        self.checkpoint = checkpoint
        self.token = token
        self.installID = installID
        self.secret = secret
        self.ledger = ledger
        generation = 1
        base = 0
        isAdopted = false
    }
}

extension EventBatch: CustomReflectable, CustomStringConvertible {
    /// The batch's id and numbers.
    public var description: String { "batch \(id), numbers \(seqs.lowerBound) to \(seqs.upperBound)" }

    /// A mirror without ``secret``, so that the secret does not get into a log by mistake.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "id": id, "installID": installID, "seqs": seqs, "records": records, "missing": missing,
                "attempt": attempt, "ledger": ledger,
            ] as KeyValuePairs<String, Any>)
    }
}

/// A range of numbers without events in a batch.
public struct MissingNumbers: Codable, Hashable, Sendable {
    /// Why there is no event. If several reasons apply, the first in this order is used; `held` is last.
    public enum Reason: String, Codable, Sendable {
        /// The event's user was erased.
        case erased
        /// The event's user has opted out.
        case optedOut = "opted-out"
        /// The consumer has permanently refused the event.
        case refused
        /// The event was dropped or damaged; the ledger has the reason.
        case dropped
        /// The event was in an earlier batch.
        case deliveredEarlier = "delivered-earlier"
        /// The event has another number in a later generation of the log, or is a copy for another consumer: see
        /// <doc:Generations>.
        case forked
        /// The event waits for its user's consent or for a retry, and may be in a later batch.
        case held

        /// The reason of numbers that the ledger counts.
        ///
        /// - Parameter reason: The reason in the ledger; nil if it is unknown.
        package init(_ reason: DropReason?) {
            self =
                switch reason {
                case .erased: .erased
                case .optedOut: .optedOut
                case .refused: .refused
                case .forked: .forked
                default: .dropped
                }
        }
    }

    /// The first number.
    public let first: Int64
    /// The last number.
    public let last: Int64
    /// The reason.
    public let reason: Reason

    init(_ seqs: ClosedRange<Int64>, _ reason: Reason) {
        first = seqs.lowerBound
        last = seqs.upperBound
        self.reason = reason
    }

    var seqs: ClosedRange<Int64> { first...max(first, last) }
}

/// A batch as stored in the database: the data needed to read the same events again.
struct SealedBatch: Codable, Equatable {
    var id: String
    var first: Int64
    var last: Int64
    var missing: [MissingNumbers]
    var count: Int
    var checksum: UInt64
    var attempts = 0
    /// The number of the last ledger change that the most recent attempt has reported.
    var ledgerThrough: Int64?
    /// Whether its events are older than the cursor, because they were held or are retried.
    var isLate: Bool
    /// The bytes of its lines, with line feeds; nil in a batch of an earlier version.
    var bytes: Int?

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

/// A token that identifies the lease under which a batch is delivered.
///
/// A deliverer that was stopped may reach its sink after its lease has ended. If several processes share the sink's
/// storage, the sink should store the newest token there, and reject a batch with a stale token.
public struct LeaseToken: Codable, Hashable, Sendable {
    /// The series of the token, generated with the first lease. Tokens of different series cannot be compared.
    public let series: String
    /// The number in the series, which rises with each lease.
    public let number: Int64

    /// Makes a token.
    public init(series: String, number: Int64) {
        self.series = series
        self.number = number
    }

    /// Whether this token's lease ended before the other began.
    public func isStale(after other: LeaseToken) -> Bool { series == other.series && number < other.number }
}
