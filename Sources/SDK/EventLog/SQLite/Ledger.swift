internal import EventModel
package import GRDB

/// Rows of the table `ledger`: ranges of numbers, and under the number 0 events without a number.
package enum Ledger {
    /// The number of the next change of a row. A consumer's batches carry the rows that changed since its last batch.
    private static let nextChange = "(SELECT ifnull(max(change), 0) + 1 FROM ledger)"

    /// Numbers the rows as if each had changed once, for damaged databases.
    static func renumberChanges(_ db: Database) throws {
        try db.execute(
            sql: """
                UPDATE ledger SET change = numbered.change FROM (
                    SELECT reason, consumer, first_seq, row_number() OVER (ORDER BY first_seq, reason, consumer) AS change
                    FROM ledger) AS numbered
                WHERE ledger.reason = numbered.reason AND ledger.consumer = numbered.consumer
                    AND ledger.first_seq = numbered.first_seq
                """)
    }

    /// Counts lost events. Extends the previous range if it is adjacent and has the same reason.
    static func add(
        _ reason: DropReason, consumer: String = "", count: Int64, seqs: ClosedRange<Int64>? = nil, _ db: Database
    ) throws {
        if let seqs {
            try db.execute(
                sql: """
                    UPDATE ledger SET last_seq = ?, count = count + ?, change = \(nextChange)
                    WHERE reason = ? AND consumer = ? AND first_seq > (SELECT base FROM log) AND last_seq = ?
                    """,
                arguments: [seqs.upperBound, count, reason.rawValue, consumer, seqs.lowerBound - 1])
            if db.changesCount > 0 { return }
        }
        try addRange(reason, consumer: consumer, count: count, seqs: seqs, db)
    }

    /// Counts events that were dropped before they had a number.
    static func add(_ reason: DropReason, at times: ClosedRange<EventTime>?, count: Int64, _ db: Database) throws {
        try add(reason, count: count, db)
        guard let times else { return }
        try db.execute(
            sql: """
                UPDATE ledger SET first_time = min(ifnull(first_time, ?1), ?1), last_time = max(ifnull(last_time, ?2), ?2)
                WHERE reason = ?3 AND consumer = '' AND first_seq = 0
                """,
            arguments: [times.lowerBound.microseconds, times.upperBound.microseconds, reason.rawValue])
    }

    /// Counts lost events in a new row, without extending an adjacent range.
    package static func addRange(
        _ reason: DropReason, consumer: String = "", count: Int64, seqs: ClosedRange<Int64>? = nil, _ db: Database
    ) throws {
        try db.cachedStatement(
            sql: """
                INSERT INTO ledger (reason, consumer, first_seq, last_seq, count, change)
                VALUES (?, ?, ?, ?, ?, \(nextChange))
                ON CONFLICT (reason, consumer, first_seq) DO UPDATE SET
                    count = count + excluded.count, last_seq = max(last_seq, excluded.last_seq),
                    change = excluded.change
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

    /// Counts a journal's drops that have not been counted yet.
    static func count(_ drops: [JournalRing.Drops], of journal: String, _ db: Database) throws {
        for drop in drops {
            let reason = drop.reason
            let total = Int64(clamping: drop.count)
            let counted =
                try Int64.fetchOne(
                    db, sql: "SELECT count FROM journal_drops WHERE journal = ? AND reason = ?",
                    arguments: [journal, reason.rawValue]) ?? 0
            guard total > counted else { continue }
            try add(reason, at: drop.times, count: total - counted, db)
            try db.execute(
                sql: "INSERT OR REPLACE INTO journal_drops (journal, reason, count) VALUES (?, ?, ?)",
                arguments: [journal, reason.rawValue, total])
            try db.execute(sql: "UPDATE log SET synced_seq = -1")
        }
    }

    /// The sum of the rows' counts, clamped to the range of numbers, because damaged counts would make `sum` fail with
    /// an overflow.
    package static let sum = "CAST(max(0, min(total(count), \(EventRecord.highestSeq))) AS INTEGER)"

    /// The sum for every reason and consumer.
    static func entries(_ db: Database) throws -> [LedgerEntry] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT reason, consumer, \(sum), min(nullif(first_seq, 0)), max(nullif(last_seq, 0)),
                    min(first_time), max(last_time)
                FROM ledger GROUP BY reason, consumer ORDER BY reason, consumer
                """
        ).compactMap(entry)
    }

    /// The rows that concern a consumer and an install and have changed after `change`, with the install's own numbers.
    ///
    /// - Parameters:
    ///   - change: The last change that was seen.
    ///   - end: The last log number of the install.
    /// - Returns: The rows, and the number of the last change that they include.
    static func news(
        for consumer: String, of log: LogGeneration, after change: Int64, limit: Int, _ db: Database
    ) throws -> (rows: [LedgerEntry], through: Int64) {
        let newest = try Int64.fetchOne(db, sql: "SELECT max(change) FROM ledger") ?? 0
        guard newest > change else { return ([], max(change, 0)) }
        let numbers = log.numbers
        let found = try Row.fetchAll(
            db,
            sql: """
                SELECT reason, consumer, count - CASE WHEN first_seq > 0 THEN 0 ELSE ifnull((
                        SELECT json_extract(drops, '$."' || reason || '"') FROM generations WHERE number = ?1 - 1), 0) END,
                    nullif(max(first_seq, min(first_seq, 1) * ?2), 0), nullif(min(last_seq, ?3), 0),
                    first_time, last_time, change
                FROM ledger
                WHERE change > ?4 AND consumer IN ('', ?5) AND count > 0
                    AND (first_seq = 0 AND consumer = '' AND ?6 OR first_seq <= ?3 AND last_seq >= ?2 AND first_seq > 0)
                ORDER BY change LIMIT ?7
                """,
            arguments: [
                log.number, numbers.lowerBound, numbers.upperBound, change, consumer, log.last == nil, limit,
            ])
        let through: Int64 = found.count == limit ? try found[limit - 1].decode(atIndex: 7) : newest
        let rows: [LedgerEntry] = try found.compactMap { row in
            guard let entry = try entry(row), entry.count > 0 else { return nil }
            guard let seqs = entry.seqs else { return entry }
            // If a range continues in another install, returns only the part in this install.
            return LedgerEntry(
                reason: entry.reason, consumer: entry.consumer,
                count: min(entry.count, seqs.upperBound - seqs.lowerBound + 1),
                seqs: seqs.lowerBound - log.base...seqs.upperBound - log.base, times: entry.times)
        }
        return (rows, through)
    }

    /// Every range as one entry.
    static func ranges(_ db: Database) throws -> [LedgerEntry] {
        try Row.fetchAll(
            db,
            sql: """
                SELECT reason, consumer, count, nullif(first_seq, 0), nullif(last_seq, 0), first_time, last_time
                FROM ledger ORDER BY first_seq, reason, consumer
                """
        ).compactMap(entry)
    }

    private static func entry(_ row: Row) throws -> LedgerEntry? {
        do {
            guard let reason = DropReason(rawValue: try row.decode(atIndex: 0)) else { return nil }
            let consumer: String = try row.decode(atIndex: 1)
            let first: Int64? = try row.decode(atIndex: 3)
            let last: Int64? = try row.decode(atIndex: 4)
            var seqs: ClosedRange<Int64>?
            if let first, let last, first <= last { seqs = first...last }
            let begin: Int64? = try row.decode(atIndex: 5)
            let end: Int64? = try row.decode(atIndex: 6)
            var times: ClosedRange<EventTime>?
            if let begin, let end, begin <= end {
                times = EventTime(microseconds: begin)...EventTime(microseconds: end)
            }
            return LedgerEntry(
                reason: reason, consumer: consumer.isEmpty ? nil : consumer, count: try row.decode(atIndex: 2),
                seqs: seqs, times: times)
        } catch { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "a row of the ledger is damaged") }
    }
}
