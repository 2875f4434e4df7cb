package import EventModel
internal import Foundation
package import GRDB
import GRDBSQLite

/// Rows of the table `events`, and the totals in `log`.
package enum EventRow {
    /// The columns that ``record(_:)`` reads.
    package static let columns = "SELECT seq, id, time, name, line, purpose"

    package static func record(_ row: Row) throws -> EventRecord {
        guard let id = try row.withUnsafeData(atIndex: 1, { $0.flatMap(eventID) }) else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an event's id is not 16 bytes long")
        }
        let line = try row.withUnsafeData(atIndex: 4) { $0.map { [UInt8]($0) } ?? [] }
        do {
            return EventRecord(
                seq: try row.decode(atIndex: 0), id: id, time: EventTime(microseconds: try row.decode(atIndex: 2)),
                name: try row.decode(atIndex: 3), line: line, purpose: Purpose(column: try row.decode(atIndex: 5)))
        } catch { throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "an event's column has the wrong type") }
    }

    /// The highest number ever drawn, as stored in the log.
    static func lastSeq(_ db: Database) throws -> Int64 {
        let seq = try Int64.fetchOne(db, sql: "SELECT last_seq FROM log")
        guard let seq, 0...EventRecord.highestSeq ~= seq else {
            throw DatabaseError(resultCode: .SQLITE_CORRUPT, message: "the log's highest number is out of range")
        }
        return seq
    }

    static func eventID(_ data: Data) -> EventID? {
        guard data.count == 16 else { return nil }
        let halves = data.reduce(into: (UInt64(0), UInt64(0), 0)) { halves, byte in
            if halves.2 < 8 { halves.0 = halves.0 << 8 | UInt64(byte) } else { halves.1 = halves.1 << 8 | UInt64(byte) }
            halves.2 += 1
        }
        return EventID(high: halves.0, low: halves.1)
    }

    static func fetch(_ db: Database, clauses: String, arguments: StatementArguments) throws -> [EventRecord] {
        var records: [EventRecord] = []
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: "\(columns) FROM events \(clauses)"), arguments: arguments)
        while let row = try rows.next() { records.append(try record(row)) }
        return records
    }

    static func batch(_ db: Database, after seq: Int64, count: Int, bytes: Int) throws -> [EventRecord] {
        var records: [EventRecord] = []
        var size = 0
        let rows = try Row.fetchCursor(
            try db.cachedStatement(sql: "\(columns) FROM events WHERE seq > ? ORDER BY seq LIMIT ?"),
            arguments: [seq, count])
        while let row = try rows.next() {
            let record = try record(row)
            size += record.line.count + 1
            if size > bytes && !records.isEmpty { break }
            records.append(record)
        }
        return records
    }

    /// Calls `body` with the next rows until it returns false. Covers `span` numbers, starting at the first number that
    /// has a row.
    ///
    /// - Returns: The last number that was visited, nil if there are no more rows; and whether `body` returned false.
    package static func visit(
        _ db: Database, after seq: Int64, span: Int64, filter: EventRowFilter, withStamps: Bool,
        _ body: (BorrowedEvent) throws -> Bool
    ) throws -> (last: Int64?, isStopped: Bool) {
        // Read the highest number first, so that rows added meanwhile are not skipped.
        guard let highest = try Int64.fetchOne(try db.cachedStatement(sql: "SELECT max(seq) FROM events")),
            highest > seq,
            let next = try Int64.fetchOne(
                try db.cachedStatement(sql: "SELECT min(seq) FROM events WHERE seq > ?"), arguments: [seq])
        else { return (nil, false) }
        let end = highest - next < span ? highest : next + span - 1
        let clauses = filter.clauses
        let statement = try db.cachedStatement(
            sql: """
                SELECT seq, line, purpose\(withStamps ? ", time, name" : "") FROM events
                WHERE seq BETWEEN ? AND ?\(clauses.sql) ORDER BY seq
                """)
        try statement.setArguments(
            StatementArguments([next, end] + clauses.times) + StatementArguments(clauses.names))
        let sqlite = statement.sqliteStatement
        defer { sqlite3_reset(sqlite) }
        while true {
            switch sqlite3_step(sqlite) {
            case SQLITE_ROW: break
            case SQLITE_DONE: return (end, false)
            default:
                throw DatabaseError(
                    resultCode: ResultCode(rawValue: sqlite3_extended_errcode(db.sqliteConnection)),
                    message: db.lastErrorMessage)
            }
            let event = BorrowedEvent(
                seq: sqlite3_column_int64(sqlite, 0),
                time: EventTime(microseconds: withStamps ? sqlite3_column_int64(sqlite, 3) : 0),
                name: withStamps ? bytes(sqlite, 4) : UnsafeRawBufferPointer(start: nil, count: 0),
                line: bytes(sqlite, 1),
                purpose: Purpose(column: sqlite3_column_text(sqlite, 2).map { String(cString: $0) }))
            guard try body(event) else { return (event.seq, true) }
        }
    }

    private static func bytes(_ statement: SQLiteStatement, _ column: CInt) -> UnsafeRawBufferPointer {
        // In this order: requesting the bytes can convert the value and change its length.
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    package static func delete(_ seqs: ClosedRange<Int64>, _ db: Database) throws {
        guard
            let totals = try Row.fetchOne(
                db, sql: "SELECT count(*), total(length(line)) FROM events WHERE seq BETWEEN ? AND ?",
                arguments: [seqs.lowerBound, seqs.upperBound])
        else { return }
        let count: Int64 = try totals.decode(atIndex: 0)
        let bytes: Double = try totals.decode(atIndex: 1)
        try db.execute(
            sql: "DELETE FROM events WHERE seq BETWEEN ? AND ?", arguments: [seqs.lowerBound, seqs.upperBound])
        try db.execute(sql: subtractFromTotals, arguments: [count, Int64(exactly: bytes) ?? 0])
    }

    /// Subtracts events and the bytes of their lines from the totals. A damaged, negative total counts as 0.
    package static let subtractFromTotals =
        "UPDATE log SET event_count = max(event_count, 0) - ?, event_bytes = max(event_bytes, 0) - ?"

    package static func statistics(_ db: Database) throws -> EventLogStatistics {
        var statistics = EventLogStatistics()
        if let row = try Row.fetchOne(db, sql: "SELECT event_count, event_bytes, last_seq FROM log") {
            statistics.count = try row.decode(atIndex: 0)
            statistics.bytes = try row.decode(atIndex: 1)
            statistics.lastSeq = try row.decode(atIndex: 2)
        }
        statistics.firstSeq = try Int64.fetchOne(db, sql: "SELECT min(seq) FROM events")
        return statistics
    }
}

extension EventRowFilter {
    /// The most names in one statement. With more names, the filter lets all names pass.
    private static let mostNames = 100

    /// The SQL after `WHERE seq BETWEEN ? AND ?`, with the values to bind.
    var clauses: (sql: String, names: [String], times: [Int64]) {
        var sql = ""
        var times: [Int64] = []
        if let since {
            sql += " AND time >= ?"
            times.append(since.microseconds)
        }
        if let until {
            sql += " AND time < ?"
            times.append(until.microseconds)
        }
        let names = names.count > Self.mostNames ? [] : names
        if !names.isEmpty {
            sql +=
                " AND (" + names.map { Self.isPattern($0) ? "name GLOB ?" : "name = ?" }.joined(separator: " OR ") + ")"
        }
        return (sql, names, times)
    }

    private static func isPattern(_ name: String) -> Bool { name.utf8.contains { "*?[".utf8.contains($0) } }
}
