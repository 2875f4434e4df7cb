internal import Foundation
import GRDB

/// Reads all that can be read of a damaged database into a new one.
///
/// Events are read by number, upwards; where that fails, the search goes on behind the fault: reading by number
/// reaches every page whose way from the tree's root is whole. Numbers that are found nowhere are counted as
/// ``DropReason/damaged`` in the ledger.
struct Salvage {
    private let source: String

    /// Salvages the database at a path, with the -wal file beside it. The file is only read.
    init(of source: String) { self.source = source }

    /// Copies into an empty log of the current version, in one transaction.
    ///
    /// - Throws: Errors of the new database. What is wrong with the old one is no error.
    func copy(into db: Database) throws {
        var configuration = Configuration()
        configuration.readonly = true
        // Nil: not even its header can be read, and nothing in it.
        let old = try? DatabaseQueue(path: source, configuration: configuration)
        try db.inTransaction(.immediate) {
            if let old {
                try old.read { old in
                    try copyTables(from: old, into: db)
                    try copyEvents(from: old, into: db)
                }
            }
            return .commit
        }
    }

    private func copyTables(from old: Database, into db: Database) throws {
        // Each by itself: what cannot be read is left out, and the rest still copied.
        if let log = try? Row.fetchOne(old, sql: "SELECT install_id, last_seq FROM log") {
            try db.execute(
                sql: "UPDATE log SET install_id = ?", arguments: [log["install_id"] as DatabaseValue])
        }
        for (table, columns) in [
            ("consumers", "name, acknowledged, checkpoint"), ("ledger", "reason, consumer, first_seq, last_seq, count"),
            ("journal_drops", "journal, reason, count"),
        ] {
            let marks = columns.split(separator: ",").map { _ in "?" }.joined(separator: ", ")
            guard let rows = try? Row.fetchCursor(old, sql: "SELECT \(columns) FROM \(table)") else { continue }
            while let row = try? rows.next() {
                // A row that is damaged in itself breaks a rule of the new table and is left out.
                try? db.execute(
                    sql: "INSERT OR IGNORE INTO \(table) (\(columns)) VALUES (\(marks))",
                    arguments: StatementArguments(row.databaseValues))
            }
        }
    }

    private func copyEvents(from old: Database, into db: Database) throws {
        var insertion = try EventInsertion(db, after: 0)
        let accounted = try accountedRanges(db)
        var seq: Int64 = 0
        let end = Self.highest(in: old)
        func pass(to number: Int64) throws {
            // Pruned events are no loss: everything below the first one that is left was delivered or counted.
            while insertion.lastSeq < number {
                let next = insertion.lastSeq + 1
                if let range = accounted.first(where: { $0.contains(next) }) {
                    insertion.pass(min(range.upperBound, number))
                } else {
                    let stop = accounted.map(\.lowerBound).filter { $0 > next && $0 <= number }.min() ?? number + 1
                    try insertion.skip(next...stop - 1, because: .damaged)
                }
            }
        }
        var isFirst = true
        var step: Int64 = 1
        while seq < end {
            do {
                let rows = try Row.fetchCursor(
                    old, sql: "SELECT seq, id, time, name, line FROM events WHERE seq > ? ORDER BY seq",
                    arguments: [seq])
                while let row = try rows.next() {
                    guard let record = try? EventRow.record(row), record.seq > insertion.lastSeq else {
                        seq += 1  // a row that is damaged in itself
                        continue
                    }
                    if isFirst { insertion.pass(record.seq - 1) } else { try pass(to: record.seq - 1) }
                    isFirst = false
                    try insertion.insert(record)
                    seq = record.seq
                    step = 1
                }
                break
            } catch let error as DatabaseError where LogOpening.isDamage(error) || error.resultCode == .SQLITE_IOERR {
                // Behind the fault, in growing steps: a page holds a few events, a lost branch many.
                seq += step
                step = min(step * 2, 64)
            }
        }
        if !isFirst { try pass(to: end) } else { insertion.pass(end) }
        try insertion.finish()
    }

    private func accountedRanges(_ db: Database) throws -> [ClosedRange<Int64>] {
        try Ledger.ranges(db).filter { $0.consumer == nil }.compactMap(\.seqs)
    }

    /// The highest number that the old database tells of, in any way that still works.
    private static func highest(in old: Database) -> Int64 {
        let queries = [
            "SELECT last_seq FROM log", "SELECT max(seq) FROM events", "SELECT max(acknowledged) FROM consumers",
            "SELECT max(last_seq) FROM ledger",
        ]
        // Nil: that table cannot be read.
        return queries.compactMap { try? Int64.fetchOne(old, sql: $0) }.max() ?? 0
    }
}
