internal import Foundation

/// What a consumer's row holds beside its cursor, as JSON.
struct DeliveryState: Codable, Equatable {
    /// Rises with each lease.
    var token: Int64 = 0
    /// What ``token`` is counted in: made with the first lease.
    var series: String?
    var lease: Lease?
    /// When an environment named the consumer last, in microseconds since 1970.
    var namedAt: Int64?
    /// The highest number that a batch has accounted for, or that was gone before there was one.
    var covered: Int64 = 0
    /// What is being delivered.
    var batch: SealedBatch?
    /// What is left of a batch that was rejected, in which the event at fault is searched.
    var split: Split?
    var failures = 0
    var pause: DeliveryPause?
    var halt: String?
    /// Batches that were given up after a delivery whose answer never came: the consumer may have their events.
    var voided: [Voided] = []
    var voidedCount = 0
    /// The change of the ledger up to which a batch that was accepted has brought its rows, and in which generation of the log.
    var ledgerSeen: Int64?
    var ledgerGeneration: Int?
    /// The generation of the consents when held events were looked at last.
    var consentGeneration: UInt64?

    /// Until when, in seconds since the start of a system.
    struct Lease: Codable, Equatable {
        var boot: String
        var until: UInt64
    }

    struct Split: Codable, Equatable {
        /// The last number of those that were rejected together.
        var through: Int64
        /// How many go into the next batch.
        var count: Int
        var isLate: Bool
    }

    struct Voided: Codable, Equatable {
        var id: String
        var first: Int64
        var last: Int64
        var attempts: Int
    }

    /// As many voided batches are listed; all are counted.
    private static let listedVoids = 100

    /// Gives a batch up: something in it has changed since it was sealed.
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

    /// Reads what ``text`` wrote. What is damaged starts anew, which costs at most a delivery that comes twice.
    init(_ text: String?) {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        self = text.flatMap { try? decoder.decode(Self.self, from: Data($0.utf8)) } ?? DeliveryState()
    }

    func text() throws -> String {
        let encoder = JSONEncoder()
        encoder.keyEncodingStrategy = .convertToSnakeCase
        encoder.outputFormatting = .sortedKeys
        return String(decoding: try encoder.encode(self), as: UTF8.self)
    }
}
