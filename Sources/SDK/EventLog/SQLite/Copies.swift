package import EventModel
internal import Foundation
package import GRDB

/// Rows of the table `copies`: events under a later install of the log, for the one consumer whose server knew their
/// numbers with other bytes. The ledger has their numbers as ``DropReason/forked``, because no other consumer gets
/// them.
package enum Copies {
    /// The query for a consumer's events in order: those of `events`, and its copies.
    ///
    /// Bind the first and the last number to ?1 and ?2, and the consumer to ?3.
    static func query(_ log: LogGeneration) -> String {
        // The first install has no copies.
        return log.number == 1
            ? "\(EventRow.columns) FROM events WHERE seq BETWEEN ?1 AND ?2 AND ?3 = ?3 ORDER BY seq"
            : """
            \(EventRow.columns) FROM events WHERE seq BETWEEN ?1 AND ?2
            UNION ALL \(EventRow.columns) FROM copies WHERE seq BETWEEN ?1 AND ?2 AND consumer = ?3 ORDER BY seq
            """
    }

    /// A consumer's events in a range of numbers of an install.
    static func records(
        in seqs: ClosedRange<Int64>, of consumer: String, _ log: LogGeneration, _ db: Database
    ) throws -> [EventRecord] {
        var records: [EventRecord] = []
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: query(log)), arguments: [seqs.lowerBound, seqs.upperBound, consumer])
        while let row = try rows.next() { records.append(try EventRow.record(row)) }
        return records
    }

    /// A consumer's copies after a number, in order.
    static func records(of consumer: String, after seq: Int64, limit: Int, _ db: Database) throws -> [EventRecord] {
        try Row.fetchAll(
            db,
            sql: """
                \(EventRow.columns) FROM copies WHERE consumer = ? AND seq > ? ORDER BY seq LIMIT ?
                """, arguments: [consumer, seq, limit]
        ).map(EventRow.record)
    }

    /// Counts a consumer's events in a range of numbers of an install.
    static func count(
        in seqs: ClosedRange<Int64>, of consumer: String, _ log: LogGeneration, _ db: Database
    ) throws -> Int64 {
        try Int64.fetchOne(
            db, sql: "SELECT count(*) FROM (\(query(log)))",
            arguments: [seqs.lowerBound, seqs.upperBound, consumer]) ?? 0
    }

    static func insert(_ record: EventRecord, for consumer: String, _ db: Database) throws {
        try db.cachedStatement(
            sql: "INSERT INTO copies (seq, consumer, id, time, name, line, purpose) VALUES (?, ?, ?, ?, ?, ?, ?)"
        ).execute(arguments: [
            record.seq, consumer, Data(record.id.bytes), record.time.microseconds, record.name, Data(record.line),
            record.purpose.column,
        ])
    }

    /// Removes a consumer's delivered copies.
    static func remove(_ ranges: [ClosedRange<Int64>], of consumer: String, _ db: Database) throws {
        for range in ranges {
            try db.execute(
                sql: "DELETE FROM copies WHERE seq BETWEEN ? AND ? AND consumer = ?",
                arguments: [range.lowerBound, range.upperBound, consumer])
        }
    }

    /// Counts a consumer's copies as lost, and removes them.
    ///
    /// - Parameter consumer: Nil for the copies of all consumers.
    static func discard(
        _ ranges: [ClosedRange<Int64>], of consumer: String?, because reason: DropReason, _ db: Database
    ) throws {
        for range in ranges {
            let rows = try Row.fetchAll(
                db, sql: "SELECT seq, consumer FROM copies WHERE seq BETWEEN ? AND ? ORDER BY seq",
                arguments: [range.lowerBound, range.upperBound])
            for row in rows {
                let seq: Int64 = try row.decode(atIndex: 0)
                let owner: String = try row.decode(atIndex: 1)
                guard consumer == nil || owner == consumer else { continue }
                try Ledger.add(reason, consumer: owner, count: 1, seqs: seq...seq, db)
                try remove([seq...seq], of: owner, db)
            }
        }
    }

    /// Removes and counts the copies whose line matches `isErased`.
    ///
    /// - Returns: The ids of their events.
    @discardableResult
    package static func remove(
        because reason: DropReason, where isErased: (UnsafeRawBufferPointer, Purpose) -> Bool, _ db: Database
    ) throws -> [EventID] {
        var found: [(seq: Int64, id: EventID?)] = []
        let rows = try Row.fetchCursor(db, sql: "SELECT seq, line, id, purpose FROM copies ORDER BY seq")
        while let row = try rows.next() {
            let purpose = Purpose(column: try row.decode(atIndex: 3))
            let isTheirs = try row.withUnsafeData(atIndex: 1) {
                $0?.withUnsafeBytes { isErased($0, purpose) } ?? false
            }
            guard isTheirs else { continue }
            found.append(
                (try row.decode(atIndex: 0), try row.withUnsafeData(atIndex: 2) { $0.flatMap(EventRow.eventID) }))
        }
        try Overwriting.overwrite(found.map(\.seq), in: .copies, db)
        try Overwriting.whileDeleting(db) {
            for (seq, _) in found {
                try Ledger.add(reason, count: 1, seqs: seq...seq, db)
                try db.execute(sql: "DELETE FROM copies WHERE seq = ?", arguments: [seq])
            }
        }
        return found.compactMap(\.id)
    }
}
