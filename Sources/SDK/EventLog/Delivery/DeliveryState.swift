internal import Foundation

/// The delivery state in a consumer's row, stored as JSON.
struct DeliveryState: Codable, Equatable {
    /// Rises with each lease.
    var token: Int64 = 0
    /// The series that ``token`` belongs to, generated with the first lease.
    var series: String?
    var lease: Lease?
    /// When an environment last used the consumer, or a day without use was last counted, in microseconds since 1970.
    var namedAt: Int64?
    /// The days without use on which the log was used.
    var silentDays: Int?
    /// The highest number that a batch has accounted for, or that was removed before there was a batch.
    var covered: Int64 = 0
    /// The batch that is being delivered.
    var batch: SealedBatch?
    /// The rest of a rejected batch, while the log searches for the invalid event.
    var split: Split?
    var failures = 0
    var pause: DeliveryPause?
    var halt: String?
    /// How many tries in a row have ended with a halt; nil for none.
    var halts: Int?
    /// The size of batches for a slow link; nil if it has carried full batches.
    var size: LearnedSize?
    /// Batches that were given up after a delivery without an answer: the consumer may have received their events.
    var voided: [Voided] = []
    var voidedCount = 0
    /// The number of the last ledger change that an accepted batch has reported, and the log generation of that batch.
    var ledgerSeen: Int64?
    var ledgerGeneration: Int?
    /// The generation of the consents when held events were last checked.
    var consentGeneration: UInt64?

    /// The end of a lease, in seconds since the system booted.
    struct Lease: Codable, Equatable {
        var boot: String
        var until: UInt64
    }

    struct LearnedSize: Codable, Equatable {
        /// The most bytes of lines in a batch.
        var bytes: Int
        /// The batches that were delivered since the size has changed.
        var successes: Int

        /// The size after a batch was delivered: twice as much after every second one. nil once it is a full batch's.
        func afterDelivery(of count: Int) -> LearnedSize? {
            guard successes > 0 else { return LearnedSize(bytes: bytes, successes: 1) }
            // A single event may be longer.
            let doubled = 2 * max(bytes, count)
            return doubled < EventBatch.maximumBytes ? LearnedSize(bytes: doubled, successes: 0) : nil
        }
    }

    struct Split: Codable, Equatable {
        /// The last number of the range that was rejected.
        var through: Int64
        /// How many events go into the next batch.
        var count: Int
        var isLate: Bool
    }

    struct Voided: Codable, Equatable {
        var id: String
        var first: Int64
        var last: Int64
        var attempts: Int
    }

    /// The most voided batches to list; all are counted.
    private static let listedVoids = 100

    /// Voids the current batch because one of its events has changed since it was sealed.
    mutating func void() {
        guard let batch else { return }
        voidedCount += 1
        if batch.attempts > 0 {
            voided.append(Voided(id: batch.id, first: batch.first, last: batch.last, attempts: batch.attempts))
            voided.removeFirst(max(0, voided.count - Self.listedVoids))
        }
        self.batch = nil
    }

    init() {}

    /// Parses a ``text()``. Damaged text gives an empty state, which costs at most a repeated delivery.
    init(_ text: String?) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        // A damaged state is lost, which costs at most a repeated delivery.
        self = text.flatMap { try? decoder.decode(Self.self, from: Data($0.utf8)) } ?? DeliveryState()
    }

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
