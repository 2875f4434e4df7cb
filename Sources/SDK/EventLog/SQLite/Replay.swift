internal import EventModel
internal import Foundation
import GRDB

/// Stores recorded events inside a transaction, by the rules of ``SQLiteEventStore/replay(_:)``.
enum Replay {
    static func store(_ events: [RecordedEvent], _ db: Database) throws -> ReplayResult {
        var result = ReplayResult()
        guard let first = events.first else { return result }
        let log = try Generations.newest(db)
        var installID = log.installID
        var lastSeq = try EventRow.lastSeq(db)
        if lastSeq == 0 && installID != first.installID {
            installID = first.installID
            try Generations.adopt(installID, db)
        }
        var records: [EventRecord] = []
        var batch: Set<EventID> = []
        let known = try db.cachedStatement(sql: "SELECT 1 FROM events WHERE id = ?")
        for event in events {
            let id = event.record.id
            if try !batch.insert(id).inserted || Int.fetchOne(known, arguments: [Data(id.bytes)]) != nil {
                result.known += 1
                continue
            }
            // Log numbers are higher than the install's own numbers in all generations but the first.
            if event.installID == installID, event.record.seq < EventRecord.highestSeq >> 1,
                event.record.seq + log.base > lastSeq
            {
                lastSeq = event.record.seq + log.base
                records.append(event.record.renumbered(lastSeq))
                result.kept += 1
            } else {
                lastSeq += 1
                records.append(
                    EventRecord(
                        seq: lastSeq, id: id, time: event.record.time, name: event.record.name,
                        line: event.relabelled(installID, lastSeq - log.base), purpose: event.record.purpose))
                result.renumbered += 1
            }
        }
        var insertion = try EventInsertion(db, after: lastSeq)
        for record in records { try insertion.insert(record) }
        try insertion.finish()
        return result
    }
}

/// The result of replaying events.
public struct ReplayResult: Hashable, Sendable {
    /// Events stored unchanged, byte for byte.
    public var kept = 0
    /// Events stored under a new number.
    public var renumbered = 0
    /// Events skipped because their ids were already in the log.
    public var known = 0

    /// Makes an empty result.
    public init() {}

    /// Adds the counts of another batch.
    public static func += (left: inout Self, right: Self) {
        left.kept += right.kept
        left.renumbered += right.renumbered
        left.known += right.known
    }
}
