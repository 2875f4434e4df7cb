internal import EventModel
package import GRDB

/// Rows of the table `ledger`: ranges of numbers, and under the number 0 what never had one.
package enum Ledger {
    /// Counts what was lost. A range that follows the one before, with the same reason, makes it longer.
    static func add(
        _ reason: DropReason, consumer: String = "", count: Int64, seqs: ClosedRange<Int64>? = nil, _ db: Database
    ) throws {
        if let seqs {
            try db.execute(
                sql: """
                    UPDATE ledger SET last_seq = ?, count = count + ?
                    WHERE reason = ? AND consumer = ? AND first_seq > 0 AND last_seq = ?
                    """,
                arguments: [seqs.upperBound, count, reason.rawValue, consumer, seqs.lowerBound - 1])
            if db.changesCount > 0 { return }
        }
        try addRange(reason, consumer: consumer, count: count, seqs: seqs, db)
    }

    /// Counts what was lost in a row of its own, whatever ranges there are beside it.
    package static func addRange(
        _ reason: DropReason, consumer: String = "", count: Int64, seqs: ClosedRange<Int64>? = nil, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO ledger (reason, consumer, first_seq, last_seq, count) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (reason, consumer, first_seq) DO UPDATE SET
                    count = count + excluded.count, last_seq = max(last_seq, excluded.last_seq)
                """
        ).execute(arguments: [reason.rawValue, consumer, seqs?.lowerBound ?? 0, seqs?.upperBound ?? 0, count])
    }

    /// Counts those events of a range that are stored.
    package static func addStored(_ reason: DropReason, consumer: String, seqs: ClosedRange<Int64>, _ db: Database)
        throws
    {
        let row = try Row.fetchOne(
            db, sql: "SELECT count(*), min(seq), max(seq) FROM events WHERE seq BETWEEN ? AND ?",
            arguments: [seqs.lowerBound, seqs.upperBound])
        guard let row, let first: Int64 = row[1], let last: Int64 = row[2] else { return }
        try add(reason, consumer: consumer, count: row[0], seqs: first...last, db)
    }

    /// Counts a journal's drops, as far as they were not counted before.
    static func count(_ drops: [(reason: DropReason, count: UInt64)], of journal: String, _ db: Database) throws {
        for (reason, total) in drops {
            let total = Int64(clamping: total)
            let counted =
                try Int64.fetchOne(
                    db, sql: "SELECT count FROM journal_drops WHERE journal = ? AND reason = ?",
                    arguments: [journal, reason.rawValue]) ?? 0
            guard total > counted else { continue }
            try add(reason, count: total - counted, db)
            try db.execute(
                sql: "INSERT OR REPLACE INTO journal_drops (journal, reason, count) VALUES (?, ?, ?)",
                arguments: [journal, reason.rawValue, total])
            try db.execute(sql: "UPDATE log SET synced_seq = -1")
        }
    }

    /// The sum of some rows' counts. One that was damaged past all numbers counts as the highest, or as none: `sum`
    /// itself ends in an error where it runs over.
    package static let sum = "CAST(max(0, min(total(count), \(EventRecord.highestSeq))) AS INTEGER)"

    /// Every reason and consumer with its sum.
    static func entries(_ db: Database) throws -> [LedgerEntry] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT reason, consumer, \(sum), min(nullif(first_seq, 0)), max(nullif(last_seq, 0))
                FROM ledger GROUP BY reason, consumer ORDER BY reason, consumer
                """
        ).compactMap(entry)
    }

    /// Every range by itself.
    static func ranges(_ db: Database) throws -> [LedgerEntry] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT reason, consumer, count, nullif(first_seq, 0), nullif(last_seq, 0)
                FROM ledger ORDER BY first_seq, reason, consumer
                """
        ).compactMap(entry)
    }

    private static func entry(_ row: Row) throws -> LedgerEntry? {
        do {
            guard let reason = DropReason(rawValue: try row.decode(atIndex: 0)) else { return nil }
            let consumer: String = try row.decode(atIndex: 1)
            let (first, last): (Int64?, Int64?) = (try row.decode(atIndex: 3), try row.decode(atIndex: 4))
            var seqs: ClosedRange<Int64>?
            if let first, let last, first <= last { seqs = first...last }
            return LedgerEntry(
                reason: reason, consumer: consumer.isEmpty ? nil : consumer, count: try row.decode(atIndex: 2),
                seqs: seqs)
        } catch { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row of the ledger is damaged") }
    }
}
