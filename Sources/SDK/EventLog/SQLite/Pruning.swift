package import EventModel
package import GRDB
internal import Primitives

/// Applies a ``Retention`` inside a transaction.
package enum Pruning {
    /// The highest number that every consumer has acknowledged; nil without consumers.
    package static func delivered(_ db: Database) throws -> Int64? {
        try Int64.fetchOne(
            db, sql: "SELECT min(min(acknowledged, ifnull(kept_from - 1, acknowledged))) FROM consumers")
    }

    /// Applies the hard limit of a retention, if the log exceeds it.
    static func enforceHardCap(_ retention: Retention, _ db: Database) throws {
        guard let cap = retention.hardMaximumBytes, try total("event_bytes", db) > cap else { return }
        try apply(Retention(hardMaximumBytes: cap), now: EventTime(microseconds: 0), db)
    }

    /// The number of events whose removal writes less than 256 KiB of write-ahead log, even if each event and each id
    /// is on a separate page.
    static let smallStep: Int64 = 24

    /// Removes the events that a retention does not keep.
    ///
    /// - Parameter limit: The most events to remove; nil for no limit.
    /// - Returns: Whether there are more to remove.
    @discardableResult
    static func apply(_ retention: Retention, now: EventTime, limit: Int64? = nil, _ db: Database) throws -> Bool {
        let delivered = try delivered(db)
        let wanted = min(try end(of: retention, now: now, db), delivered ?? .max)
        let forced = try retention.hardMaximumBytes.flatMap { try beforeBytes($0, db) } ?? 0
        var end = max(wanted, forced)
        var hasMore = false
        if let limit,
            let last = try Int64.fetchOne(
                db, sql: "SELECT seq FROM events WHERE seq <= ? ORDER BY seq LIMIT 1 OFFSET ?",
                arguments: [end, limit - 1])
        {
            (end, hasMore) = (last, last < end)
        }
        if min(forced, end) > delivered ?? 0 {
            let evicted = NumberRanges.common(try Consumers.undelivered(db), [.min...min(forced, end)])
            for seqs in evicted { try Ledger.addStored(.evicted, consumer: "", seqs: seqs, db) }
            try Copies.discard([.min...min(forced, end)], of: nil, because: .evicted, db)
        }
        if let age = retention.maximumAge { try DeadLetters.prune(olderThan: age, now: now, db) }
        if end > 0 {
            try EventRow.delete(.min...end, db)
            try Consumers.forgetKept(through: end, db)
        }
        return hasMore
    }

    /// The number up to which events exceed the limits of a retention, delivered or not; 0 for none.
    package static func end(of retention: Retention, now: EventTime, _ db: Database) throws -> Int64 {
        let limits = [
            try retention.maximumAge.flatMap { try beforeAge($0, now: now, db) },
            try retention.maximumCount.flatMap { try beforeCount($0, db) },
            try retention.maximumBytes.flatMap { try beforeBytes($0, db) },
        ]
        return limits.compactMap { $0 }.max() ?? 0
    }

    /// The number up to which all events are older than `age`.
    private static func beforeAge(_ age: Duration, now: EventTime, _ db: Database) throws -> Int64? {
        let cutoff = now.advanced(by: .zero - age).microseconds
        let firstKept = try Int64.fetchOne(
            db, sql: "SELECT seq FROM events WHERE time >= ? ORDER BY seq LIMIT 1", arguments: [cutoff])
        if let firstKept { return firstKept - 1 }
        return try Int64.fetchOne(db, sql: "SELECT max(seq) FROM events")
    }

    /// The number up to which events must be removed so that `count` events remain.
    private static func beforeCount(_ count: Int64, _ db: Database) throws -> Int64? {
        let excess = try total("event_count", db) - max(count, 0)
        guard excess > 0 else { return nil }
        return try Int64.fetchOne(
            db, sql: "SELECT seq FROM events ORDER BY seq LIMIT 1 OFFSET ?", arguments: [excess - 1])
    }

    /// The number up to which events must be removed so that `bytes` of lines remain.
    private static func beforeBytes(_ bytes: Int64, _ db: Database) throws -> Int64? {
        var excess = try total("event_bytes", db) - max(bytes, 0)
        guard excess > 0 else { return nil }
        var last: Int64?
        let rows = try Row.fetchCursor(db, sql: "SELECT seq, length(line) FROM events ORDER BY seq")
        while excess > 0, let row = try rows.next() {
            last = try row.decode(atIndex: 0)
            excess -= try row.decode(Int64.self, atIndex: 1)
        }
        return last
    }

    /// A total of the log; 0 for a damaged, negative total.
    private static func total(_ column: String, _ db: Database) throws -> Int64 {
        max(0, try Int64.fetchOne(db, sql: "SELECT \(column) FROM log") ?? 0)
    }
}
