package import EventLog
package import EventModel
internal import GRDB

extension DatabaseExamination {
    /// The most rows read in one transaction.
    package static let rowsPerTransaction = 20_000

    /// The lowest number of an event from `seq` on; nil if there is none.
    package func firstSeq(from seq: Int64) throws -> Int64? {
        try reading { db in
            try Int64.fetchOne(db, sql: "SELECT min(seq) FROM events WHERE seq >= ?", arguments: [seq])
        }
    }

    /// The number of events in a range of numbers.
    package func eventCount(in seqs: ClosedRange<Int64>) throws -> Int64 {
        try reading { db in
            try Int64.fetchOne(
                db, sql: "SELECT count(*) FROM events WHERE seq BETWEEN ? AND ?",
                arguments: [seqs.lowerBound, seqs.upperBound]) ?? 0
        }
    }

    /// Calls `body` with the number, the time and the line length of every row, by number.
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

    /// Calls `body` with the rows after a number, by number, until it returns false. A row with columns of wrong
    /// types is nil.
    ///
    /// - Parameter limit: The rows read in one transaction.
    package func forEachRecord(
        after seq: Int64, limit: Int = rowsPerTransaction, _ body: (Int64, EventRecord?) throws -> Bool
    ) throws {
        var isStopped = false
        try inSteps(after: seq) { db, last in
            let rows = try Row.fetchCursor(
                db, sql: "\(EventRow.columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?",
                arguments: [last, limit])
            var end: Int64?
            while !isStopped, let row = try rows.next() {
                let seq: Int64 = try row.decode(atIndex: 0)
                // The type of the wrong column is lost: the caller counts the row as damaged.
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

    /// Runs `body` with the last number, each time in a new transaction, until it returns nil.
    private func inSteps(after seq: Int64, _ body: (Database, Int64) throws -> Int64?) throws {
        var last = seq
        while let end = try reading({ db in try body(db, last) }) { last = end }
    }
}

/// A consumer's row and its backlog.
package struct ExaminedConsumer: Hashable, Sendable {
    /// The read position.
    package let cursor: ConsumerCursor
    /// The ring of the writer that delivers to it now; nil if there is none.
    package let holder: String?
    /// The state of its deliveries.
    package let delivery: DeliverySummary
    /// Stored events that the consumer has not received.
    package let backlog: Int64
    /// The bytes of their lines.
    package let backlogBytes: Int64
    /// The time of the oldest of them; nil if there are none.
    package let oldest: EventTime?

    init(_ row: Row, _ db: Database) throws {
        cursor = ConsumerCursor(
            consumer: try row.decode(atIndex: 0), acknowledged: try row.decode(atIndex: 1),
            checkpoint: try row.decode(atIndex: 2))
        holder = try row.decode(atIndex: 3)
        delivery = DeliverySummary(try row.decode(atIndex: 4))
        var backlog: Int64 = 0
        var bytes: Int64 = 0
        var oldest: Int64?
        func count(_ source: String, _ arguments: StatementArguments) throws {
            let sql = "SELECT count(*), ifnull(sum(length(line)), 0), min(time) FROM events \(source)"
            guard let row = try Row.fetchOne(db, sql: sql, arguments: arguments) else { return }
            backlog += try row.decode(atIndex: 0)
            bytes += try row.decode(atIndex: 1)
            if let time: Int64 = try row.decode(atIndex: 2) { oldest = min(oldest ?? time, time) }
        }
        try count("WHERE seq > ?", [cursor.acknowledged])
        // Events before the cursor that the consumer has not received.
        try count("JOIN kept ON seq BETWEEN first_seq AND last_seq WHERE consumer = ?", [cursor.consumer])
        self.backlog = backlog
        backlogBytes = bytes
        self.oldest = oldest.map { EventTime(microseconds: $0) }
    }
}

/// The ledger's count for a reason.
package struct ExaminedDrops: Hashable, Sendable {
    /// The reason's text. A newer version may know more than ``/EventLog/DropReason``.
    package let reason: String
    /// The consumer that did not receive the events; nil if no consumer did.
    package let consumer: String?
    package let count: Int64

    init(_ row: Row) throws {
        reason = try row.decode(atIndex: 0)
        let name: String = try row.decode(atIndex: 1)
        consumer = name.isEmpty ? nil : name
        count = try row.decode(atIndex: 2)
    }
}
