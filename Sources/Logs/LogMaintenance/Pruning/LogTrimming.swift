internal import EventLog
internal import EventModel
internal import GRDB

/// The result of a trimming, done or planned.
package struct LogTrimming: Hashable, Sendable {
    /// Removed events.
    package var events: Int64 = 0
    /// The bytes of their lines.
    package var bytes: Int64 = 0
    /// Removed events that a consumer has not received.
    package var unsent: Int64 = 0
    /// Events past the limits that stay, because a consumer has not received them.
    package var kept: Int64 = 0
}

/// Applies the limits of a ``Retention`` on request: like ``Pruning/apply(_:now:_:)``, but optionally to undelivered
/// events, too, and in small steps, so that a running writer does not wait long.
enum Trimming {
    /// Rows removed in one transaction.
    static let step = 5000

    /// What would be removed, and up to which number.
    static func plan(
        _ retention: Retention, includingUnsent: Bool, now: EventTime, _ db: Database
    ) throws -> (end: Int64, trimming: LogTrimming) {
        // Without consumers, no event is undelivered.
        let delivered = try Pruning.delivered(db) ?? .max
        let wanted = try Pruning.end(of: retention, now: now, db)
        let end = includingUnsent ? wanted : min(wanted, delivered)
        var trimming = LogTrimming()
        (trimming.events, trimming.bytes) = try totals(db, after: 0, through: end)
        trimming.unsent = try totals(db, after: delivered, through: end).count
        trimming.kept = try totals(db, after: end, through: wanted).count
        return (end, trimming)
    }

    /// Removes a step of the oldest events up to a number; returns false if there were none.
    static func removeStep(through end: Int64, _ db: Database) throws -> Bool {
        let last = try Int64.fetchOne(
            db, sql: "SELECT max(seq) FROM (SELECT seq FROM events WHERE seq <= ? ORDER BY seq LIMIT ?)",
            arguments: [end, step])
        guard let last else { return false }
        if let delivered = try Pruning.delivered(db), last > delivered {
            try Ledger.addStored(.evicted, consumer: "", seqs: delivered + 1...last, db)
        }
        try EventRow.delete(.min...last, db)
        return true
    }

    private static func totals(
        _ db: Database, after first: Int64, through last: Int64
    ) throws -> (count: Int64, bytes: Int64) {
        let row = try Row.fetchOne(
            db, sql: "SELECT count(*), ifnull(sum(length(line)), 0) FROM events WHERE seq > ? AND seq <= ?",
            arguments: [first, last])
        guard let row else { return (0, 0) }
        return (try row.decode(atIndex: 0), try row.decode(atIndex: 1))
    }
}
