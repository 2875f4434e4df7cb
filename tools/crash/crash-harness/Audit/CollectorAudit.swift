import CrashSupport
import Foundation
import GRDB

/// Compares the batches that a collector accepted with the log: no event under two batch ids, identical repeats of each
/// batch, and at the end all events except the rejected ones.
struct CollectorAudit {
    private(set) var findings = Findings()
    /// The number of acceptances, and of accepted events.
    private(set) var batches = 0
    private(set) var events = IndexSet()
    /// Events that arrived under a second id, because the batch before was void and its response was lost.
    private(set) var repeated = 0
    /// Batches that the log gave up without a response, and all batches that it gave up.
    private(set) var unanswered = 0
    private(set) var voided = 0

    private struct State: Decodable {
        struct Voided: Decodable { let id: String }
        let voided: [Voided]
        let voidedCount: Int
    }

    /// - Parameters:
    ///   - path: The file that the collector wrote.
    ///   - log: A settled log.
    ///   - stored: The numbers of its events.
    init(path: String, log: String, stored: IndexSet) {
        do {
            var configuration = Configuration()
            configuration.readonly = true
            let database = try DatabaseQueue(path: log, configuration: configuration)
            let (state, refused) = try database.read { db in
                (
                    try String.fetchOne(db, sql: "SELECT state FROM consumers WHERE name = 'collector'"),
                    try Row.fetchAll(
                        db,
                        sql:
                            "SELECT first_seq, last_seq FROM ledger WHERE consumer = 'collector' AND reason = 'refused'"
                    )
                )
            }
            let decoder = JSONDecoder()
            decoder.keyDecodingStrategy = .convertFromSnakeCase
            let known = try decoder.decode(State.self, from: Data((state ?? "").utf8))
            (unanswered, voided) = (known.voided.count, known.voidedCount)
            try compare(try CollectorLog(path: path).news(), voided: Set(known.voided.map(\.id)))
            var missing = stored.subtracting(events)
            for row in refused {
                let seqs = IndexSet((row[0] as Int)...(row[1] as Int))
                missing.subtract(seqs)
                for range in seqs.intersection(events).rangeView {
                    findings.add(.collectorTwice, count: range.count, "\(range): accepted, but counted as refused")
                }
            }
            for range in missing.rangeView { findings.add(.collectorLost, count: range.count, "\(range)") }
        } catch {
            findings.add(.failed, "cannot compare the collector's batches: \(error)")
        }
    }

    private mutating func compare(_ news: [CollectorLog.Acceptance], voided: Set<String>) throws {
        var checksums: [String: UInt64] = [:]
        // The first batch of each number.
        var owners: [Int64: String] = [:]
        for batch in news {
            batches += 1
            if let former = checksums.updateValue(batch.checksum, forKey: batch.id), former != batch.checksum {
                findings.add(.collectorAltered, "batch \(batch.id)")
            }
            for seq in batch.seqs.joined() {
                events.insert(Int(seq))
                guard let former = owners.updateValue(batch.id, forKey: seq), former != batch.id else { continue }
                if voided.contains(former) {
                    repeated += 1
                } else {
                    findings.add(.collectorTwice, "seq \(seq): in batches \(former) and \(batch.id)")
                }
            }
        }
    }

    var rows: [(String, String)] {
        [
            ("batches accepted by the collector", "\(batches)"), ("  events in them", "\(events.count)"),
            ("batches given up", "\(voided)"), ("  without an answer", "\(unanswered)"),
            ("  events under a second id", "\(repeated)"),
        ]
    }
}
