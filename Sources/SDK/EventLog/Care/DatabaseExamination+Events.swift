package import EventModel
import GRDB

extension DatabaseExamination {
    /// How many rows a reading takes at most before it lets its transaction go.
    package static let rowsPerTransaction = 20_000

    /// The lowest number from one on that an event has; nil if none has.
    package func firstSeq(from seq: Int64) throws -> Int64? {
        try reading { db in
            try Int64.fetchOne(db, sql: "SELECT min(seq) FROM events WHERE seq >= ?", arguments: [seq])
        }
    }

    /// How many events have a number of a range.
    package func eventCount(in seqs: ClosedRange<Int64>) throws -> Int64 {
        try reading { db in
            try Int64.fetchOne(
                db, sql: "SELECT count(*) FROM events WHERE seq BETWEEN ? AND ?",
                arguments: [seqs.lowerBound, seqs.upperBound]) ?? 0
        }
    }

    /// Shows the number, the time and the length of the line of every row, by number.
    package func forEachRow(_ body: (_ seq: Int64, _ time: EventTime, _ bytes: Int64) throws -> Void) throws {
        try inSteps(after: .min) { db, last in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT seq, time, length(line) FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
                arguments: [last, Self.rowsPerTransaction])
            return try Self.visit(rows) { row in
                try body(
                    row.decode(atIndex: 0), EventTime(microseconds: row.decode(atIndex: 1)), row.decode(atIndex: 2))
            }
        }
    }

    /// Shows whole rows after a number to `body`, by number, until that answers false; nil for a row with columns that
    /// no log writes.
    ///
    /// - Parameter limit: Rows that are read in one transaction.
    package func forEachRecord(
        after seq: Int64, limit: Int = rowsPerTransaction, _ body: (Int64, EventRecord?) throws -> Bool
    ) throws {
        var isStopped = false
        try inSteps(after: seq) { db, last in
            let rows = try Row.fetchCursor(
                db, sql: "SELECT seq, id, time, name, line FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
                arguments: [last, limit])
            var end: Int64?
            while !isStopped, let row = try rows.next() {
                let seq: Int64 = try row.decode(atIndex: 0)
                isStopped = !(try body(seq, try? EventRow.record(row)))
                end = seq
            }
            return isStopped ? nil : end
        }
    }

    private static func visit(_ rows: RowCursor, _ body: (Row) throws -> Void) throws -> Int64? {
        var last: Int64?
        while let row = try rows.next() {
            last = try row.decode(atIndex: 0)
            try body(row)
        }
        return last
    }

    /// Runs `body` with the last number seen until it gives none, each time in a transaction of its own.
    private func inSteps(after seq: Int64, _ body: (Database, Int64) throws -> Int64?) throws {
        var last = seq
        while let end = try reading({ db in try body(db, last) }) { last = end }
    }
}
