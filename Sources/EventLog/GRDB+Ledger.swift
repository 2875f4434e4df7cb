import GRDB

/// Rows of the table `ledger`.
enum Ledger {
    static func add(
        _ reason: DropReason, consumer: String = "", count: Int64, seqs: ClosedRange<Int64>? = nil, _ db: Database
    ) throws {
        try db.execute(
            sql: """
                INSERT INTO ledger (reason, consumer, count, first_seq, last_seq) VALUES (?, ?, ?, ?, ?)
                ON CONFLICT (reason, consumer) DO UPDATE SET
                    count = count + excluded.count,
                    first_seq = min(ifnull(first_seq, excluded.first_seq), ifnull(excluded.first_seq, first_seq)),
                    last_seq = max(ifnull(last_seq, excluded.last_seq), ifnull(excluded.last_seq, last_seq))
                """,
            arguments: [reason.rawValue, consumer, count, seqs?.lowerBound, seqs?.upperBound])
    }

    /// Counts those events of a range that are stored.
    static func addStored(_ reason: DropReason, consumer: String, seqs: ClosedRange<Int64>, _ db: Database) throws {
        let row = try Row.fetchOne(
            db, sql: "SELECT count(*), min(seq), max(seq) FROM events WHERE seq BETWEEN ? AND ?",
            arguments: [seqs.lowerBound, seqs.upperBound])
        guard let row, let first: Int64 = row[1], let last: Int64 = row[2] else { return }
        try add(reason, consumer: consumer, count: row[0], seqs: first...last, db)
    }

    static func entries(_ db: Database) throws -> [LedgerEntry] {
        try Row.fetchAll(
            db, sql: "SELECT reason, consumer, count, first_seq, last_seq FROM ledger ORDER BY reason, consumer"
        ).compactMap { row in
            guard let reason = DropReason(rawValue: row[0]) else { return nil }
            let consumer: String = row[1]
            let (first, last): (Int64?, Int64?) = (row[3], row[4])
            return LedgerEntry(
                reason: reason, consumer: consumer.isEmpty ? nil : consumer, count: row[2],
                seqs: first.flatMap { first in last.map { first...$0 } })
        }
    }
}
